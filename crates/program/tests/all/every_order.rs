//! The program of every schedule brings every collective to its end, in whatever order its operations happen.

use collectives::{COLLECTIVES, Kind, Selection};
use kernel::timed::Links;
use kernel::{
    Channel, Collective, Message, Model, Network, Node, Op, Problem, Rational, Schedule, Semantics, Switching,
    Transfer, verify,
};
use methods::{Settings, SizedProblem, TimedSettings, Watch, solve, solve_timed};
use program::{Action, Buffer, Fault, Place, Program, RankProgram, Shape};

const NETWORKS: [&str; 3] = ["ring:4", "fat-tree:4", "debruijn:2,2"];

fn rehearsed(program: &Program, what: &str) {
    for seed in 0..4 {
        program.rehearse(seed).unwrap_or_else(|fault| panic!("{what}, order {seed}: {fault}"));
    }
}

fn changed(program: &Program, change: impl FnOnce(&mut Vec<RankProgram>)) -> Program {
    let mut ranks = program.ranks().to_vec();
    change(&mut ranks);
    program.clone().with_ranks(ranks).unwrap()
}

fn selection<'a>(kind: &Kind, network: &'a Network) -> Selection<'a> {
    let mut selection = Selection::of(network);
    if kind.parameters.contains(&"pairs") {
        let of = network.terminals();
        selection.pairs = Some(of.iter().zip(of.iter().skip(1)).map(|(from, to)| (*from, *to)).collect());
    }
    selection
}

fn models() -> Vec<Model> {
    let combining = |model: Model| Model { combining: true, ..model };
    vec![Model::wormhole(), combining(Model::wormhole()), combining(Model::store_and_forward()), Model::tdm()]
}

#[test]
fn of_every_collective_under_every_model() {
    let mut shapes = std::collections::HashSet::new();
    let mut count = 0;
    for name in NETWORKS {
        let network = topologies::parse(name).unwrap();
        for kind in COLLECTIVES {
            let Ok(collective) = kind.build(&selection(kind, &network)) else { continue };
            for (model, chunks) in models().into_iter().flat_map(|model| [(model, 1), (model, 2)]) {
                if model.switching == Switching::StoreAndForward && network.terminals().len() < network.node_count() {
                    continue;
                }
                let Ok(problem) = Problem::new(network.clone(), collective.in_chunks(chunks), model) else { continue };
                let settings = Settings::default().with_ticks(2_000).with_threads(1);
                let Some(best) = solve(&problem, &settings).unwrap().best else { continue };
                let program = Program::new(&best.schedule).unwrap();
                rehearsed(&program, &format!("{} on {name} under {model:?}, {chunks} chunks", kind.name));
                shapes.insert(program.layout().shape());
                count += 1;
            }
        }
    }
    assert!(count > 200, "only {count} schedules");
    assert_eq!(shapes.len(), 11, "{shapes:?}");
}

#[test]
fn of_schedules_in_time() {
    for name in ["ring:5", "dgx1", "fat-tree:4"] {
        let network = topologies::parse(name).unwrap();
        let channels = network.channel_count();
        let links = Links {
            bandwidth: (0..channels).map(|at| Rational::whole(10 + (at % 3) as u64)).collect(),
            latency: vec![Rational::whole(1); channels],
            reduce: Some(Rational::whole(7)),
            ..Links::default()
        };
        let all = network.terminals().to_vec();
        let collectives = [
            Collective::allgather(&all, &all),
            Collective::alltoall(&all, &all),
            Collective::allreduce(&all),
            Collective::reduce_scatter(&all, &all),
            Collective::broadcast(all[1], &all),
            Collective::reduce(all[0], &all),
        ];
        for collective in collectives {
            let what = format!("{} on {name}", collective.name());
            let sized = SizedProblem::new(network.clone(), links.clone(), collective, Rational::whole(64_000)).unwrap();
            // On a busy machine the first schedule may take longer.
            let best = [0.3, 3.0, 30.0].into_iter().find_map(|seconds| {
                let settings = TimedSettings::default().with_chunks(Some(2)).with_seconds(Some(seconds));
                solve_timed(&sized, &settings, Watch::nobody()).unwrap().best
            });
            let best = best.expect("a schedule");
            rehearsed(&Program::new(&best.verdict.ceiling().written_out().unwrap()).unwrap(), &what);
        }
    }
}

/// A chunk of three contributors on a line, whose middle keeps apart what comes and sends it on without its own.
#[test]
fn partial_results_are_kept_as_they_came() {
    let network = Network::from_links(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
    let channel = |from, to| {
        let is = |c: &Channel| (network.from(*c), network.to(*c)) == (Node(from), Node(to));
        (0..network.channel_count() as u32).map(Channel).find(is).unwrap()
    };
    let reduce = Collective::reduce(Node(3), network.terminals());
    let problem = Problem::new(network.clone(), reduce, Model::wormhole()).unwrap();
    let mut claim = Schedule::new();
    let mut send = |step: bool, path: &[Channel], op, partials: &[u32]| {
        if step {
            claim.begin_step();
        }
        claim.push(Transfer { messages: &[Message(0)], path, op, partials });
    };
    send(true, &[channel(0, 1)], Op::Keep, &[]);
    send(true, &[channel(1, 2)], Op::Reduce, &[0]);
    send(true, &[channel(1, 2), channel(2, 3)], Op::Reduce, &[1]);
    send(true, &[channel(2, 3)], Op::Reduce, &[0, 1]);
    let program = Program::new(&verify(&problem, claim).unwrap()).unwrap();
    rehearsed(&program, "partial results");
    assert_eq!(program.layout().shape(), Shape::Reduce);
}

/// Two of one chunk that come apart in one transfer, to a rank that has nothing of it and sends the second on, or both.
#[test]
fn partial_results_come_together() {
    let network = Network::from_links(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
    let channel = |from, to| {
        let is = |c: &Channel| (network.from(*c), network.to(*c)) == (Node(from), Node(to));
        (0..network.channel_count() as u32).map(Channel).find(is).unwrap()
    };
    for chunks in [1u32, 2] {
        for relayed in [&[0u32, 1][..], &[1]] {
            let to = if relayed.len() == 2 { vec![Node(2), Node(3)] } else { vec![Node(2)] };
            let chunk = (vec![Node(0), Node(1)], to);
            let sums = Collective::new("sums", Semantics::Reduce, None, [chunk]).unwrap().in_chunks(chunks);
            let model = Model { combining: true, ..Model::wormhole() };
            let problem = Problem::new(network.clone(), sums, model).unwrap();
            let mut claim = Schedule::new();
            let mut send = |from, to, partials: &[u32]| {
                claim.begin_step();
                let each =
                    |of: u32| partials.iter().flat_map(move |k| (0..chunks).map(move |c| if of == 0 { c } else { *k }));
                let messages: Vec<Message> = each(0).map(Message).collect();
                let (path, partials) = ([channel(from, to)], each(1).collect::<Vec<_>>());
                claim.push(Transfer { partials: &partials, ..Transfer::new(&messages, &path) });
            };
            send(0, 1, &[0]);
            send(1, 2, &[0, 1]);
            let later: Vec<u32> = relayed.iter().map(|k| k + 1).collect();
            send(2, 3, &later);
            let program = Program::new(&verify(&problem, claim).unwrap()).unwrap();
            rehearsed(&program, &format!("{relayed:?} of {chunks} chunks"));
        }
    }
}

#[test]
fn a_missing_dependency_is_found() {
    let network = topologies::parse("ring:4").unwrap();
    let all = network.terminals().to_vec();
    let problem = Problem::new(network, Collective::allreduce(&all), Model::wormhole()).unwrap();
    let best = solve(&problem, &Settings::default().with_ticks(2_000)).unwrap().best.unwrap();
    let program = Program::new(&best.schedule).unwrap();
    let (mut found, mut cases) = (0, 0);
    for rank in 0..program.ranks().len() {
        for operation in 0..program.ranks()[rank].operations.len() {
            if program.ranks()[rank].operations[operation].after.is_empty() {
                continue;
            }
            cases += 1;
            let damaged = changed(&program, |ranks| ranks[rank].operations[operation].after.clear());
            found += usize::from((0..50).any(|seed| damaged.rehearse(seed).is_err()));
        }
    }
    assert!(cases > 4, "{cases} operations wait for another");
    assert_eq!(found, cases);
}

#[test]
fn a_wait_without_end_is_found() {
    let network = topologies::parse("ring:4").unwrap();
    let all = network.terminals().to_vec();
    let problem = Problem::new(network, Collective::allgather(&all, &all), Model::wormhole()).unwrap();
    let best = solve(&problem, &Settings::default().with_ticks(2_000)).unwrap().best.unwrap();
    let program = Program::new(&best.schedule).unwrap();
    let program = changed(&program, |ranks| {
        let last = ranks[0].operations.iter().rposition(|operation| matches!(operation.action, Action::Send { .. }));
        let (from, to) = (Place { buffer: Buffer::Input, index: 0 }, Place { buffer: Buffer::Scratch, index: 0 });
        ranks[0].operations[last.unwrap()].action = Action::Copy { from, to };
    });
    assert!(matches!(program.rehearse(1), Err(Fault::Waits { .. })));
}

#[test]
fn inputs_and_outputs_lie_as_in_mpi() {
    let network = topologies::parse("complete:3").unwrap();
    let all = network.terminals().to_vec();
    let problem = Problem::new(network, Collective::alltoall(&all, &all), Model::wormhole()).unwrap();
    let best = solve(&problem, &Settings::default().with_ticks(2_000)).unwrap().best.unwrap();
    let program = Program::new(&best.schedule).unwrap();
    let rank = &program.ranks()[2];
    assert_eq!((rank.input, rank.output, rank.scratch), (3, 3, 0));
    let sends = rank.operations.iter().filter_map(|operation| match &operation.action {
        Action::Send { to, places, .. } => Some((*to, places[0].buffer, places[0].index)),
        _ => None,
    });
    let mut sends: Vec<_> = sends.collect();
    sends.sort_unstable();
    assert_eq!(sends, [(0, Buffer::Input, 0), (1, Buffer::Input, 1)]);
    let own = program.layout().own(Node(2));
    assert_eq!((own[0].0.index, own[0].1.index), (2, 2));
}
