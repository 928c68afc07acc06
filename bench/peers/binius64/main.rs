// Times of binius64 over GF(2^128) in the basis of GHASH, one thread, four elements to a vector: products of slices and
// its additive transform of LCH coefficients in place, as its own benchmark runs it (blocks of 2^10), with twiddle
// factors made on the fly or beforehand. Arguments are logarithms of lengths; a line of JSON each.
use std::time::Instant;

use binius_field::{BinaryField128bGhash as F, PackedBinaryGhash4x128b as P};
use binius_math::{
	FieldBuffer,
	ntt::{
		AdditiveNTT, NeighborsLastSingleThread,
		domain_context::{GaoMateerOnTheFly, GaoMateerPreExpanded},
	},
	test_utils::random_field_buffer,
};
use rand::{SeedableRng, rngs::StdRng};

fn random(seed: u64, log: usize) -> FieldBuffer<P> {
	random_field_buffer::<P>(StdRng::seed_from_u64(seed), log)
}

// least and median of samples of half a second, five at least, each of so many calls that it takes some time
fn measure(log: usize, mut run: impl FnMut()) -> (f64, f64, usize) {
	let (calls, all) = (1 + (1usize << 16 >> log), Instant::now());
	let mut list: Vec<f64> = vec![];
	while list.len() < 5 || all.elapsed().as_secs_f64() < 0.5 && list.len() < 1000 {
		let start = Instant::now();
		(0..calls).for_each(|_| run());
		list.push(start.elapsed().as_secs_f64() * 1e9 / calls as f64);
	}
	list.sort_by(f64::total_cmp);
	(list[0], list[list.len() / 2], list.len())
}

fn line(way: &str, op: &str, log: usize, each: f64, unit: &str, (least, median, reps): (f64, f64, usize)) {
	println!(
		"{{\"peer\":\"binius64\",\"way\":\"{way}\",\"field\":\"ghash\",\"op\":\"{op}\",\"n\":{},\"ns_min\":{least:.0},\
		 \"ns_median\":{median:.0},\"{unit}\":{:.4},\"reps\":{reps}}}",
		1u64 << log,
		least / each
	);
}

fn transforms(way: &str, log: usize, domain_context: &(impl binius_math::ntt::DomainContext<Field = F> + Sync)) {
	let ntt = NeighborsLastSingleThread { domain_context, log_base_len: 10.min(log) };
	let mut data = random(1, log);
	let times = measure(log, || ntt.forward_transform(data.to_mut(), 0, 0));
	line(way, "forward in place", log, (1u64 << log) as f64 / 2.0 * log as f64, "ns_butterfly", times);
}

fn products(log: usize) {
	let (x, y, mut z) = (random(1, log), random(2, log), random(3, log));
	let times = measure(log, || {
		for ((z, x), y) in z.as_mut().iter_mut().zip(x.as_ref()).zip(y.as_ref()) {
			*z = *x * *y;
		}
		std::hint::black_box(&mut z);
	});
	line("slices", "products", log, (1u64 << log) as f64, "ns_product", times);
}

fn main() {
	for argument in std::env::args().skip(1) {
		let log: usize = argument.parse().expect("a logarithm");
		products(log);
		transforms("on the fly", log, &GaoMateerOnTheFly::<F>::generate(log));
		transforms("pre-expanded", log, &GaoMateerPreExpanded::<F>::generate(log));
	}
}
