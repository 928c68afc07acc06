/* A library with the standard ABI of MPI 5 for tests, over the PMPI functions of MPICH: handles are the standard's
   numbers. gcc -shared -fPIC -o libmpi_abi.so.0 abi.c -l:libmpich.so.12 */
#include <stdint.h>
#include <string.h>

#define COMM(c) ((c) == 0x102 ? 0x44000001 : (c) == 0x101 ? 0x44000000 : 0x04000000)
#define TYPE(t) ((t) == 0x259 ? 0x4c00083e : 0x0c000000)
#define OP(o) ((o) == 0x23 ? 0x58000001 : 0x18000000)
#define NO_REQUEST 0x180
#define MPICH_NO_REQUEST 0x2c000000

int PMPI_Init_thread(int *, void *, int, int *), PMPI_Finalize(void), PMPI_Abort(int, int);
int PMPI_Comm_rank(int, int *), PMPI_Comm_size(int, int *), PMPI_Comm_set_errhandler(int, int);
int PMPI_Error_string(int, char *, int *), PMPI_Get_library_version(char *, int *);
int PMPI_Iallreduce(const void *, void *, int, int, int, int, int *);
int PMPI_Ialltoall(const void *, int, int, void *, int, int, int, int *), PMPI_Test(int *, int *, void *);

int MPI_Abi_get_version(int *major, int *minor) { return *major = 1, *minor = 0, 0; }

int MPI_Init_thread(int *argc, void *argv, int level, int *got)
{
	static const int levels[] = {0, 1024, 2048, 4096};
	int mpich, wanted = 0;
	while (levels[wanted] < level)
		wanted++;
	int e = PMPI_Init_thread(argc, argv, wanted, &mpich);
	*got = levels[mpich];
	return e;
}

int MPI_Finalize(void) { return PMPI_Finalize(); }
int MPI_Abort(intptr_t c, int code) { return PMPI_Abort(COMM(c), code); }
int MPI_Comm_rank(intptr_t c, int *r) { return PMPI_Comm_rank(COMM(c), r); }
int MPI_Comm_size(intptr_t c, int *s) { return PMPI_Comm_size(COMM(c), s); }
int MPI_Comm_set_errhandler(intptr_t c, intptr_t h)
{
	return PMPI_Comm_set_errhandler(COMM(c), h == 0x142 ? 0x54000001 : 0x14000000);
}
int MPI_Error_string(int e, char *s, int *n) { return PMPI_Error_string(e, s, n); }
int MPI_Get_library_version(char *s, int *n) { return PMPI_Get_library_version(s, n); }

/* A request of MPICH is the low half of the standard's. */
int MPI_Iallreduce(const void *s, void *r, int n, intptr_t t, intptr_t o, intptr_t c, intptr_t *q)
{
	int i, e = PMPI_Iallreduce(s, r, n, TYPE(t), OP(o), COMM(c), &i);
	*q = (uint32_t)i;
	return e;
}

int MPI_Ialltoall(const void *s, int n, intptr_t t, void *r, int m, intptr_t u, intptr_t c, intptr_t *q)
{
	int i, e = PMPI_Ialltoall(s, n, TYPE(t), r, m, TYPE(u), COMM(c), &i);
	*q = (uint32_t)i;
	return e;
}

int MPI_Test(intptr_t *q, int *done, void *status)
{
	int i = *q == NO_REQUEST ? MPICH_NO_REQUEST : (int)*q, e = PMPI_Test(&i, done, (void *)1);
	memset(status, 0, 32);
	*q = i == MPICH_NO_REQUEST ? NO_REQUEST : (uint32_t)i;
	return e;
}
