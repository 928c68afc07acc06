package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// instructions has those methods of a build.Context that kernels use; others that they need are added here. A Context
// has more than 3,000. The compiler writes a function for each method, for each type in which it is embedded, at any
// depth: with a Context in their place there were 97,000 functions, which took 90 seconds and 3 GB.
type instructions struct {
	*reg.Collection
	to *build.Context
}

func newInstructions() instructions {
	c := build.NewContext()
	return instructions{&c.Collection, c}
}

func (c *instructions) AddDatum(offset int, v operand.Constant) { c.to.AddDatum(offset, v) }
func (c *instructions) AllocLocal(size int) operand.Mem         { return c.to.AllocLocal(size) }
func (c *instructions) Attributes(a attr.Attribute)             { c.to.Attributes(a) }
func (c *instructions) Comment(lines ...string)                 { c.to.Comment(lines...) }
func (c *instructions) ConstraintExpr(expr string)              { c.to.ConstraintExpr(expr) }
func (c *instructions) DataAttributes(a attr.Attribute)         { c.to.DataAttributes(a) }
func (c *instructions) Doc(lines ...string)                     { c.to.Doc(lines...) }
func (c *instructions) Function(name string)                    { c.to.Function(name) }
func (c *instructions) Instruction(i *ir.Instruction)           { c.to.Instruction(i) }
func (c *instructions) Label(name string)                       { c.to.Label(name) }
func (c *instructions) Load(src gotypes.Component, dst reg.Register) reg.Register {
	return c.to.Load(src, dst)
}
func (c *instructions) Param(name string) gotypes.Component           { return c.to.Param(name) }
func (c *instructions) Pragma(directive string, args ...string)       { c.to.Pragma(directive, args...) }
func (c *instructions) Result() (*ir.File, error)                     { return c.to.Result() }
func (c *instructions) ReturnIndex(i int) gotypes.Component           { return c.to.ReturnIndex(i) }
func (c *instructions) SignatureExpr(expr string)                     { c.to.SignatureExpr(expr) }
func (c *instructions) StaticGlobal(name string) operand.Mem          { return c.to.StaticGlobal(name) }
func (c *instructions) Store(src reg.Register, dst gotypes.Component) { c.to.Store(src, dst) }

func (c *instructions) ADCQ(x, y operand.Op)                  { c.to.ADCQ(x, y) }
func (c *instructions) ADCXQ(x, y operand.Op)                 { c.to.ADCXQ(x, y) }
func (c *instructions) ADDQ(x, y operand.Op)                  { c.to.ADDQ(x, y) }
func (c *instructions) ADOXQ(x, y operand.Op)                 { c.to.ADOXQ(x, y) }
func (c *instructions) ANDB(x, y operand.Op)                  { c.to.ANDB(x, y) }
func (c *instructions) ANDQ(x, y operand.Op)                  { c.to.ANDQ(x, y) }
func (c *instructions) BSFQ(x, y operand.Op)                  { c.to.BSFQ(x, y) }
func (c *instructions) BZHIQ(x, y, z operand.Op)              { c.to.BZHIQ(x, y, z) }
func (c *instructions) CMOVQCS(x, y operand.Op)               { c.to.CMOVQCS(x, y) }
func (c *instructions) CMOVQEQ(x, y operand.Op)               { c.to.CMOVQEQ(x, y) }
func (c *instructions) CMOVQLT(x, y operand.Op)               { c.to.CMOVQLT(x, y) }
func (c *instructions) CMPL(x, y operand.Op)                  { c.to.CMPL(x, y) }
func (c *instructions) CMPQ(x, y operand.Op)                  { c.to.CMPQ(x, y) }
func (c *instructions) DECQ(x operand.Op)                     { c.to.DECQ(x) }
func (c *instructions) IMUL3Q(x, y, z operand.Op)             { c.to.IMUL3Q(x, y, z) }
func (c *instructions) IMULQ(ops ...operand.Op)               { c.to.IMULQ(ops...) }
func (c *instructions) INCQ(x operand.Op)                     { c.to.INCQ(x) }
func (c *instructions) JCC(x operand.Op)                      { c.to.JCC(x) }
func (c *instructions) JCS(x operand.Op)                      { c.to.JCS(x) }
func (c *instructions) JEQ(x operand.Op)                      { c.to.JEQ(x) }
func (c *instructions) JGE(x operand.Op)                      { c.to.JGE(x) }
func (c *instructions) JGT(x operand.Op)                      { c.to.JGT(x) }
func (c *instructions) JL(x operand.Op)                       { c.to.JL(x) }
func (c *instructions) JLE(x operand.Op)                      { c.to.JLE(x) }
func (c *instructions) JLT(x operand.Op)                      { c.to.JLT(x) }
func (c *instructions) JMP(x operand.Op)                      { c.to.JMP(x) }
func (c *instructions) JNE(x operand.Op)                      { c.to.JNE(x) }
func (c *instructions) JNZ(x operand.Op)                      { c.to.JNZ(x) }
func (c *instructions) JPL(x operand.Op)                      { c.to.JPL(x) }
func (c *instructions) JZ(x operand.Op)                       { c.to.JZ(x) }
func (c *instructions) KMOVB(x, y operand.Op)                 { c.to.KMOVB(x, y) }
func (c *instructions) KMOVQ(x, y operand.Op)                 { c.to.KMOVQ(x, y) }
func (c *instructions) KMOVW(x, y operand.Op)                 { c.to.KMOVW(x, y) }
func (c *instructions) KNOTB(x, y operand.Op)                 { c.to.KNOTB(x, y) }
func (c *instructions) KORTESTB(x, y operand.Op)              { c.to.KORTESTB(x, y) }
func (c *instructions) KTESTB(x, y operand.Op)                { c.to.KTESTB(x, y) }
func (c *instructions) KXNORB(x, y, z operand.Op)             { c.to.KXNORB(x, y, z) }
func (c *instructions) KXORB(x, y, z operand.Op)              { c.to.KXORB(x, y, z) }
func (c *instructions) LDMXCSR(x operand.Op)                  { c.to.LDMXCSR(x) }
func (c *instructions) LEAQ(x, y operand.Op)                  { c.to.LEAQ(x, y) }
func (c *instructions) MOVBQZX(x, y operand.Op)               { c.to.MOVBQZX(x, y) }
func (c *instructions) MOVL(x, y operand.Op)                  { c.to.MOVL(x, y) }
func (c *instructions) MOVLQSX(x, y operand.Op)               { c.to.MOVLQSX(x, y) }
func (c *instructions) MOVOU(x, y operand.Op)                 { c.to.MOVOU(x, y) }
func (c *instructions) MOVQ(x, y operand.Op)                  { c.to.MOVQ(x, y) }
func (c *instructions) MULXQ(x, y, z operand.Op)              { c.to.MULXQ(x, y, z) }
func (c *instructions) NEGQ(x operand.Op)                     { c.to.NEGQ(x) }
func (c *instructions) NOTQ(x operand.Op)                     { c.to.NOTQ(x) }
func (c *instructions) ORL(x, y operand.Op)                   { c.to.ORL(x, y) }
func (c *instructions) ORQ(x, y operand.Op)                   { c.to.ORQ(x, y) }
func (c *instructions) PCLMULQDQ(x, y, z operand.Op)          { c.to.PCLMULQDQ(x, y, z) }
func (c *instructions) PREFETCHT0(x operand.Op)               { c.to.PREFETCHT0(x) }
func (c *instructions) PREFETCHT1(x operand.Op)               { c.to.PREFETCHT1(x) }
func (c *instructions) PSLLDQ(x, y operand.Op)                { c.to.PSLLDQ(x, y) }
func (c *instructions) PSRLDQ(x, y operand.Op)                { c.to.PSRLDQ(x, y) }
func (c *instructions) PSRLQ(x, y operand.Op)                 { c.to.PSRLQ(x, y) }
func (c *instructions) PUNPCKLQDQ(x, y operand.Op)            { c.to.PUNPCKLQDQ(x, y) }
func (c *instructions) PXOR(x, y operand.Op)                  { c.to.PXOR(x, y) }
func (c *instructions) RET()                                  { c.to.RET() }
func (c *instructions) SARQ(x, y operand.Op)                  { c.to.SARQ(x, y) }
func (c *instructions) SBBQ(x, y operand.Op)                  { c.to.SBBQ(x, y) }
func (c *instructions) SFENCE()                               { c.to.SFENCE() }
func (c *instructions) SHLQ(ops ...operand.Op)                { c.to.SHLQ(ops...) }
func (c *instructions) SHLXQ(x, y, z operand.Op)              { c.to.SHLXQ(x, y, z) }
func (c *instructions) SHRQ(ops ...operand.Op)                { c.to.SHRQ(ops...) }
func (c *instructions) SHRXQ(x, y, z operand.Op)              { c.to.SHRXQ(x, y, z) }
func (c *instructions) STMXCSR(x operand.Op)                  { c.to.STMXCSR(x) }
func (c *instructions) SUBQ(x, y operand.Op)                  { c.to.SUBQ(x, y) }
func (c *instructions) TESTB(x, y operand.Op)                 { c.to.TESTB(x, y) }
func (c *instructions) TESTQ(x, y operand.Op)                 { c.to.TESTQ(x, y) }
func (c *instructions) VADDPD(ops ...operand.Op)              { c.to.VADDPD(ops...) }
func (c *instructions) VALIGNQ(ops ...operand.Op)             { c.to.VALIGNQ(ops...) }
func (c *instructions) VPALIGNR(ops ...operand.Op)            { c.to.VPALIGNR(ops...) }
func (c *instructions) VBLENDVPD(x, y, z, w operand.Op)       { c.to.VBLENDVPD(x, y, z, w) }
func (c *instructions) VBROADCASTI128(x, y operand.Op)        { c.to.VBROADCASTI128(x, y) }
func (c *instructions) VBROADCASTI32X4(ops ...operand.Op)     { c.to.VBROADCASTI32X4(ops...) }
func (c *instructions) VBROADCASTI64X4(ops ...operand.Op)     { c.to.VBROADCASTI64X4(ops...) }
func (c *instructions) VCVTPD2QQ(ops ...operand.Op)           { c.to.VCVTPD2QQ(ops...) }
func (c *instructions) VCVTQQ2PD(ops ...operand.Op)           { c.to.VCVTQQ2PD(ops...) }
func (c *instructions) VCVTUQQ2PD(ops ...operand.Op)          { c.to.VCVTUQQ2PD(ops...) }
func (c *instructions) VEXTRACTI128(x, y, z operand.Op)       { c.to.VEXTRACTI128(x, y, z) }
func (c *instructions) VEXTRACTI64X4(ops ...operand.Op)       { c.to.VEXTRACTI64X4(ops...) }
func (c *instructions) VFMADD213PD(ops ...operand.Op)         { c.to.VFMADD213PD(ops...) }
func (c *instructions) VFMADD231PD(ops ...operand.Op)         { c.to.VFMADD231PD(ops...) }
func (c *instructions) VFMADD231PD_RZ_SAE(ops ...operand.Op)  { c.to.VFMADD231PD_RZ_SAE(ops...) }
func (c *instructions) VFMSUB213PD(ops ...operand.Op)         { c.to.VFMSUB213PD(ops...) }
func (c *instructions) VFNMADD231PD(ops ...operand.Op)        { c.to.VFNMADD231PD(ops...) }
func (c *instructions) VGF2P8AFFINEQB(ops ...operand.Op)      { c.to.VGF2P8AFFINEQB(ops...) }
func (c *instructions) VGF2P8AFFINEQB_BCST(ops ...operand.Op) { c.to.VGF2P8AFFINEQB_BCST(ops...) }
func (c *instructions) VGF2P8MULB(ops ...operand.Op)          { c.to.VGF2P8MULB(ops...) }
func (c *instructions) VINSERTI128(x, y, z, w operand.Op)     { c.to.VINSERTI128(x, y, z, w) }
func (c *instructions) VINSERTI64X4(ops ...operand.Op)        { c.to.VINSERTI64X4(ops...) }
func (c *instructions) VMOVD(x, y operand.Op)                 { c.to.VMOVD(x, y) }
func (c *instructions) VMOVDQA(x, y operand.Op)               { c.to.VMOVDQA(x, y) }
func (c *instructions) VMOVDQA64(ops ...operand.Op)           { c.to.VMOVDQA64(ops...) }
func (c *instructions) VMOVDQA64_Z(x, y, z operand.Op)        { c.to.VMOVDQA64_Z(x, y, z) }
func (c *instructions) VMOVDQU(x, y operand.Op)               { c.to.VMOVDQU(x, y) }
func (c *instructions) VMOVDQU32(ops ...operand.Op)           { c.to.VMOVDQU32(ops...) }
func (c *instructions) VMOVDQU32_Z(x, y, z operand.Op)        { c.to.VMOVDQU32_Z(x, y, z) }
func (c *instructions) VMOVDDUP(ops ...operand.Op)            { c.to.VMOVDDUP(ops...) }
func (c *instructions) VMOVDQU64(ops ...operand.Op)           { c.to.VMOVDQU64(ops...) }
func (c *instructions) VMOVDQU64_Z(x, y, z operand.Op)        { c.to.VMOVDQU64_Z(x, y, z) }
func (c *instructions) VMOVNTDQ(x, y operand.Op)              { c.to.VMOVNTDQ(x, y) }
func (c *instructions) VMOVQ(x, y operand.Op)                 { c.to.VMOVQ(x, y) }
func (c *instructions) VMOVSHDUP(ops ...operand.Op)           { c.to.VMOVSHDUP(ops...) }
func (c *instructions) VMOVSLDUP(ops ...operand.Op)           { c.to.VMOVSLDUP(ops...) }
func (c *instructions) VMULPD(ops ...operand.Op)              { c.to.VMULPD(ops...) }
func (c *instructions) VPACKUSWB(ops ...operand.Op)           { c.to.VPACKUSWB(ops...) }
func (c *instructions) VPADDB(ops ...operand.Op)              { c.to.VPADDB(ops...) }
func (c *instructions) VPADDD(ops ...operand.Op)              { c.to.VPADDD(ops...) }
func (c *instructions) VPADDQ(ops ...operand.Op)              { c.to.VPADDQ(ops...) }
func (c *instructions) VPADDQ_BCST(ops ...operand.Op)         { c.to.VPADDQ_BCST(ops...) }
func (c *instructions) VPADDUSB(ops ...operand.Op)            { c.to.VPADDUSB(ops...) }
func (c *instructions) VPAND(x, y, z operand.Op)              { c.to.VPAND(x, y, z) }
func (c *instructions) VPANDN(x, y, z operand.Op)             { c.to.VPANDN(x, y, z) }
func (c *instructions) VPANDNQ(ops ...operand.Op)             { c.to.VPANDNQ(ops...) }
func (c *instructions) VPANDQ(ops ...operand.Op)              { c.to.VPANDQ(ops...) }
func (c *instructions) VPBLENDD(x, y, z, w operand.Op)        { c.to.VPBLENDD(x, y, z, w) }
func (c *instructions) VPBROADCASTB(ops ...operand.Op)        { c.to.VPBROADCASTB(ops...) }
func (c *instructions) VPBROADCASTD(ops ...operand.Op)        { c.to.VPBROADCASTD(ops...) }
func (c *instructions) VPBROADCASTQ(ops ...operand.Op)        { c.to.VPBROADCASTQ(ops...) }
func (c *instructions) VPCLMULQDQ(x, y, z, w operand.Op)      { c.to.VPCLMULQDQ(x, y, z, w) }
func (c *instructions) VPCMPEQB(ops ...operand.Op)            { c.to.VPCMPEQB(ops...) }
func (c *instructions) VPCMPEQD(ops ...operand.Op)            { c.to.VPCMPEQD(ops...) }
func (c *instructions) VPCMPEQQ(ops ...operand.Op)            { c.to.VPCMPEQQ(ops...) }
func (c *instructions) VPCMPGTQ(ops ...operand.Op)            { c.to.VPCMPGTQ(ops...) }
func (c *instructions) VPCMPUD(ops ...operand.Op)             { c.to.VPCMPUD(ops...) }
func (c *instructions) VPCMPUQ(ops ...operand.Op)             { c.to.VPCMPUQ(ops...) }
func (c *instructions) VPERM2I128(x, y, z, w operand.Op)      { c.to.VPERM2I128(x, y, z, w) }
func (c *instructions) VPERMB(ops ...operand.Op)              { c.to.VPERMB(ops...) }
func (c *instructions) VPERMB_Z(x, y, z, w operand.Op)        { c.to.VPERMB_Z(x, y, z, w) }
func (c *instructions) VPERMD(ops ...operand.Op)              { c.to.VPERMD(ops...) }
func (c *instructions) VPERMI2D(ops ...operand.Op)            { c.to.VPERMI2D(ops...) }
func (c *instructions) VPERMI2Q(ops ...operand.Op)            { c.to.VPERMI2Q(ops...) }
func (c *instructions) VPERMQ(ops ...operand.Op)              { c.to.VPERMQ(ops...) }
func (c *instructions) VPERMT2B(ops ...operand.Op)            { c.to.VPERMT2B(ops...) }
func (c *instructions) VPERMT2D(ops ...operand.Op)            { c.to.VPERMT2D(ops...) }
func (c *instructions) VPERMT2Q(ops ...operand.Op)            { c.to.VPERMT2Q(ops...) }
func (c *instructions) VPEXTRQ(x, y, z operand.Op)            { c.to.VPEXTRQ(x, y, z) }
func (c *instructions) VPGATHERQQ(x, y, z operand.Op)         { c.to.VPGATHERQQ(x, y, z) }
func (c *instructions) VPINSRQ(x, y, z, w operand.Op)         { c.to.VPINSRQ(x, y, z, w) }
func (c *instructions) VPMADD52HUQ(ops ...operand.Op)         { c.to.VPMADD52HUQ(ops...) }
func (c *instructions) VPMADD52HUQ_BCST(ops ...operand.Op)    { c.to.VPMADD52HUQ_BCST(ops...) }
func (c *instructions) VPMADD52LUQ(ops ...operand.Op)         { c.to.VPMADD52LUQ(ops...) }
func (c *instructions) VPMADD52LUQ_BCST(ops ...operand.Op)    { c.to.VPMADD52LUQ_BCST(ops...) }
func (c *instructions) VPMAXUD(ops ...operand.Op)             { c.to.VPMAXUD(ops...) }
func (c *instructions) VPMAXUQ(ops ...operand.Op)             { c.to.VPMAXUQ(ops...) }
func (c *instructions) VPMINUB(ops ...operand.Op)             { c.to.VPMINUB(ops...) }
func (c *instructions) VPMINUD(ops ...operand.Op)             { c.to.VPMINUD(ops...) }
func (c *instructions) VPMINUQ(ops ...operand.Op)             { c.to.VPMINUQ(ops...) }
func (c *instructions) VPMOVMSKB(x, y operand.Op)             { c.to.VPMOVMSKB(x, y) }
func (c *instructions) VPMOVSXDQ(ops ...operand.Op)           { c.to.VPMOVSXDQ(ops...) }
func (c *instructions) VPMOVZXBQ(ops ...operand.Op)           { c.to.VPMOVZXBQ(ops...) }
func (c *instructions) VPMULLD(ops ...operand.Op)             { c.to.VPMULLD(ops...) }
func (c *instructions) VPMULLQ(ops ...operand.Op)             { c.to.VPMULLQ(ops...) }
func (c *instructions) VPMULUDQ(ops ...operand.Op)            { c.to.VPMULUDQ(ops...) }
func (c *instructions) VPMULUDQ_BCST(ops ...operand.Op)       { c.to.VPMULUDQ_BCST(ops...) }
func (c *instructions) VPOR(x, y, z operand.Op)               { c.to.VPOR(x, y, z) }
func (c *instructions) VPORQ(ops ...operand.Op)               { c.to.VPORQ(ops...) }
func (c *instructions) VPSCATTERQQ(x, y, z operand.Op)        { c.to.VPSCATTERQQ(x, y, z) }
func (c *instructions) VPROLQ(ops ...operand.Op)              { c.to.VPROLQ(ops...) }
func (c *instructions) VPSHUFB(ops ...operand.Op)             { c.to.VPSHUFB(ops...) }
func (c *instructions) VPSHUFD(ops ...operand.Op)             { c.to.VPSHUFD(ops...) }
func (c *instructions) VPSLLDQ(x, y, z operand.Op)            { c.to.VPSLLDQ(x, y, z) }
func (c *instructions) VPSLLQ(ops ...operand.Op)              { c.to.VPSLLQ(ops...) }
func (c *instructions) VPSLLVQ_BCST(ops ...operand.Op)        { c.to.VPSLLVQ_BCST(ops...) }
func (c *instructions) VPSRAQ(ops ...operand.Op)              { c.to.VPSRAQ(ops...) }
func (c *instructions) VPSRLD(ops ...operand.Op)              { c.to.VPSRLD(ops...) }
func (c *instructions) VPSRLQ(ops ...operand.Op)              { c.to.VPSRLQ(ops...) }
func (c *instructions) VPSRLVQ(ops ...operand.Op)             { c.to.VPSRLVQ(ops...) }
func (c *instructions) VPSRLW(ops ...operand.Op)              { c.to.VPSRLW(ops...) }
func (c *instructions) VPSUBB(ops ...operand.Op)              { c.to.VPSUBB(ops...) }
func (c *instructions) VPSUBD(ops ...operand.Op)              { c.to.VPSUBD(ops...) }
func (c *instructions) VPSUBQ(ops ...operand.Op)              { c.to.VPSUBQ(ops...) }
func (c *instructions) VPTERNLOGQ(ops ...operand.Op)          { c.to.VPTERNLOGQ(ops...) }
func (c *instructions) VPTEST(x, y operand.Op)                { c.to.VPTEST(x, y) }
func (c *instructions) VPTESTMD(ops ...operand.Op)            { c.to.VPTESTMD(ops...) }
func (c *instructions) VPTESTMQ(ops ...operand.Op)            { c.to.VPTESTMQ(ops...) }
func (c *instructions) VPTESTNMQ(ops ...operand.Op)           { c.to.VPTESTNMQ(ops...) }
func (c *instructions) VPUNPCKHBW(ops ...operand.Op)          { c.to.VPUNPCKHBW(ops...) }
func (c *instructions) VPUNPCKHDQ(ops ...operand.Op)          { c.to.VPUNPCKHDQ(ops...) }
func (c *instructions) VPUNPCKHQDQ(ops ...operand.Op)         { c.to.VPUNPCKHQDQ(ops...) }
func (c *instructions) VPUNPCKLBW(ops ...operand.Op)          { c.to.VPUNPCKLBW(ops...) }
func (c *instructions) VPUNPCKLDQ(ops ...operand.Op)          { c.to.VPUNPCKLDQ(ops...) }
func (c *instructions) VPUNPCKLQDQ(ops ...operand.Op)         { c.to.VPUNPCKLQDQ(ops...) }
func (c *instructions) VPXOR(x, y, z operand.Op)              { c.to.VPXOR(x, y, z) }
func (c *instructions) VPXORQ(ops ...operand.Op)              { c.to.VPXORQ(ops...) }
func (c *instructions) VPXORQ_BCST(ops ...operand.Op)         { c.to.VPXORQ_BCST(ops...) }
func (c *instructions) VRNDSCALEPD(ops ...operand.Op)         { c.to.VRNDSCALEPD(ops...) }
func (c *instructions) VROUNDPD(x, y, z operand.Op)           { c.to.VROUNDPD(x, y, z) }
func (c *instructions) VSHUFI64X2(ops ...operand.Op)          { c.to.VSHUFI64X2(ops...) }
func (c *instructions) VSHUFPS(ops ...operand.Op)             { c.to.VSHUFPS(ops...) }
func (c *instructions) VSUBPD(ops ...operand.Op)              { c.to.VSUBPD(ops...) }
func (c *instructions) VZEROUPPER()                           { c.to.VZEROUPPER() }
func (c *instructions) XCHGQ(x, y operand.Op)                 { c.to.XCHGQ(x, y) }
func (c *instructions) XORQ(x, y operand.Op)                  { c.to.XORQ(x, y) }
