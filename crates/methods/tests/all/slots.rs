//! Reductions under time-division take few slots more than the copies that they are backwards.

use kernel::{Collective, Model, Ports, Problem};
use methods::{Settings, solve};

#[test]
fn reductions_near_their_floors() {
    let cells = [
        ("mesh:5x5", false, 16),
        ("mesh:5x5", true, 26),
        ("kautz:3,3", true, 37),
        ("random-regular:30,4", false, 10),
        ("ring:9", true, 10),
    ];
    for (spec, one_port, most) in cells {
        let mut network = topologies::parse(spec).expect("a family");
        if one_port {
            network = topologies::change::with_ports(&network, Ports::Each(1)).expect("as many as there were");
        }
        let all = network.terminals().to_vec();
        for (collective, most) in [(Collective::reduce_scatter(&all, &all), most), (Collective::scan(&all), most + 2)] {
            let problem = Problem::new(network.clone(), collective, Model::tdm()).expect("well posed");
            let mut settings = Settings::default().with_method("reversal");
            settings.ticks = Some(1_500_000);
            let found = solve(&problem, &settings).expect("it applies").best.expect("it finds some");
            let steps = found.schedule.steps();
            assert!(steps <= most, "{} on {spec}: {steps}", problem.collective().name());
        }
    }
}
