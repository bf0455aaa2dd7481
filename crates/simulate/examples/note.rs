use simulate::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let network = topologies::parse(&args[1]).unwrap();
    let lengths = [args[3].parse::<u32>().unwrap()];
    let mut settings = Settings::default();
    if args[1].starts_with("torus") {
        settings.channel_delay = 2;
    }
    let routes = DimensionOrder::new(&network, 4, true).unwrap();
    let shape = Shape { terminals: 64, sizes: vec![8, 8], order: (0..64).collect(), seed: 1 };
    let pattern = Pattern::named(&args[2], &shape).unwrap();
    for rate in &args[4..] {
        let e = Experiment {
            network: &network,
            settings: &settings,
            routes: &routes,
            pattern: &pattern,
            lengths: &lengths,
            burst: None,
            limits: Limits::default(),
        };
        let begin = std::time::Instant::now();
        let p = e.point(rate.parse::<f64>().unwrap() * lengths[0] as f64, 1, &|| false).unwrap();
        let s = begin.elapsed().as_secs_f64();
        let l = p.latency.as_ref().unwrap();
        println!(
            "{rate} lat {:.2}±{:.2} net {:.2} hops {:.2} acc {:.4}/{:.4} cycles {} {:.3}s {:.2} M router-cycles/s sat {} max load {:.3} p99 {}",
            l.mean.mean,
            l.mean.half.unwrap(),
            l.network,
            p.hops,
            p.accepted,
            p.offered,
            p.cycles,
            s,
            64.0 * p.cycles as f64 / s / 1e6,
            p.is_saturated,
            p.loads.iter().cloned().fold(0.0, f64::max),
            l.spread.quantile(0.99)
        );
    }
}
