use design::graphs::*;
use design::multiring::search::Stop;
struct W(std::time::Instant, f64);
impl Stop for W {
    fn stopped(&self) -> bool {
        self.0.elapsed().as_secs_f64() > self.1
    }
}
impl Watch for W {
    fn progress(&self, s: &Progress) {
        eprintln!(
            "{:.1}s {:?} least {:?} ticks {:.2e} moves {:.2e} {:?}",
            self.0.elapsed().as_secs_f64(),
            s.best,
            s.least,
            s.ticks as f64,
            s.moves as f64,
            s.turns
        )
    }
}
fn main() {
    let a: Vec<f64> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
    let mut s =
        Search::new(Settings { nodes: a[0] as u32, degree: a[1] as u32, diameter: None, seed: 1, ticks: 1 << 60 })
            .unwrap();
    let f = s.run_on(1, &W(std::time::Instant::now(), a[2])).unwrap();
    for c in f {
        println!("{:?} avg {:.4} turns {}", c.rank(), c.average(), c.graph.frame().turns)
    }
}
