//! tfhe-ntt's negacyclic transform by the protocol of ../peer.h. It is in place, and chooses its root of unity itself.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::time::Instant;
use tfhe_ntt::{prime32, prime64};

const NAME: &str = "tfhe-ntt 0.7.1, in place";

/// A plan with the buffer that it transforms.
enum Transform {
    Words32(prime32::Plan, Vec<u32>),
    Words64(prime64::Plan, Vec<u64>),
}

impl Transform {
    fn new(p: u64, n: usize) -> Option<Self> {
        if p < 1 << 32 {
            let plan = prime32::Plan::try_new(n, p as u32)?;
            return Some(Self::Words32(plan, vec![0; n]));
        }
        let plan = prime64::Plan::try_new(n, p)?;
        Some(Self::Words64(plan, vec![0; n]))
    }

    fn set(&mut self, x: &[u64]) {
        match self {
            Self::Words32(_, y) => {
                for (to, &v) in y.iter_mut().zip(x) {
                    *to = v as u32;
                }
            }
            Self::Words64(_, y) => y.copy_from_slice(x),
        }
    }

    fn run(&mut self) {
        match self {
            Self::Words32(plan, y) => plan.fwd(y),
            Self::Words64(plan, y) => plan.fwd(y),
        }
    }

    fn values(&self) -> Vec<u64> {
        match self {
            Self::Words32(_, y) => y.iter().map(|&v| v.into()).collect(),
            Self::Words64(_, y) => y.clone(),
        }
    }
}

struct Peer {
    transform: Transform,
    x: Vec<u64>,
    /// Of the value at each odd power of the root that was asked for, in bit-reversed order.
    index: Vec<usize>,
}

impl Peer {
    /// Its points are the transform of the polynomial X, which tells where the values at the odd powers of `root` are.
    fn open(p: u64, n: usize, root: u64) -> Option<Self> {
        let mut transform = Transform::new(p, n)?;
        let mut x = vec![0; n];
        x[1] = 1;
        transform.set(&x);
        transform.run();
        let at: HashMap<u64, usize> = transform.values().into_iter().zip(0..).collect();
        let product = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(p)) as u64;
        let mut index = vec![0; n];
        let (mut point, square) = (root, product(root, root));
        for i in 0..n {
            let reversed = i.reverse_bits() >> (n.leading_zeros() + 1);
            index[reversed] = *at.get(&point)?;
            point = product(point, square);
        }
        Some(Self { transform, x, index })
    }

    fn answer(&mut self, command: &str, words: &[&str]) -> String {
        match command {
            "load" => {
                self.x = words.iter().map(|w| w.parse().unwrap()).collect();
                "ok".into()
            }
            "run" => {
                let budget: f64 = words[0].parse().unwrap();
                let mut least = f64::INFINITY;
                let begin = Instant::now();
                let mut runs = 0;
                while runs < 2 || (begin.elapsed().as_nanos() as f64) < budget {
                    self.transform.set(&self.x);
                    let start = Instant::now();
                    self.transform.run();
                    least = least.min(start.elapsed().as_nanos() as f64);
                    runs += 1;
                }
                least.to_string()
            }
            "values" => {
                let values = self.transform.values();
                let list: Vec<String> = self.index.iter().map(|&i| values[i].to_string()).collect();
                list.join(" ")
            }
            _ => format!("no command {command}"),
        }
    }
}

/// Opens what the words `OP PRIME N ROOT` ask for, or says why there is no such operation.
fn open(words: &[&str]) -> Result<Peer, String> {
    if words[0] != "negacyclic" {
        return Err(words[0].into());
    }
    let n = words[2].parse().unwrap();
    match (words[1].parse(), words[3].parse()) {
        (Ok(p), Ok(root)) if n > 1 => Peer::open(p, n, root).ok_or("length or prime".into()),
        _ => Err("prime of more than a word, or length".into()),
    }
}

fn main() {
    let mut peer = None;
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match (words[0], &mut peer) {
            ("open", _) => match open(&words[1..]) {
                Ok(opened) => {
                    peer = Some(opened);
                    format!("ok {NAME}")
                }
                Err(why) => format!("no {why}"),
            },
            (command, Some(peer)) => peer.answer(command, &words[1..]),
            (command, None) => format!("no {command} before open"),
        };
        println!("{answer}");
        io::stdout().flush().unwrap();
    }
}
