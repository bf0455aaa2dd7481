//! The formula of "a schedule of at most so many steps exists": what is in it, and what refutes it.

use kernel::formula::{Beyond, Cnf, Formula, Image};
use kernel::{
    Attachment, Certificate, Collective, Model, Network, NetworkData, Node, Ports, Problem, Proof, Refused, Switching,
    certify, verify,
};
use proptest::prelude::*;

fn problem(parts: NetworkData, collective: Collective, model: Model) -> Problem {
    Problem::new(Network::new(parts).unwrap(), collective, model).unwrap()
}

fn ring(n: u32) -> NetworkData {
    NetworkData { nodes: n, channels: (0..n).map(|v| (v, (v + 1) % n)).collect(), ..NetworkData::default() }
}

fn nodes(n: u32) -> Vec<Node> {
    (0..n).map(Node).collect()
}

/// Whether some values satisfy the rules: the first found by plain backtracking over the variables in order.
fn solve(formula: &Formula) -> Option<Vec<bool>> {
    fn possible(formula: &Formula, values: &[bool]) -> bool {
        formula.rules().iter().all(|rule| {
            let open_or_true =
                |l: &i32| values.get(l.unsigned_abs() as usize - 1).is_none_or(|value| *value == (*l > 0));
            rule.literals.iter().filter(|l| open_or_true(l)).count() >= rule.least as usize
        })
    }
    fn extend(formula: &Formula, values: &mut Vec<bool>) -> bool {
        if !possible(formula, values) {
            return false;
        }
        if values.len() == formula.variables() as usize {
            return true;
        }
        for value in [false, true] {
            values.push(value);
            if extend(formula, values) {
                return true;
            }
            values.pop();
        }
        false
    }
    let mut values = Vec::new();
    extend(formula, &mut values).then_some(values)
}

fn formula(problem: &Problem, steps: u64) -> Formula {
    Formula::encode(problem, steps).unwrap()
}

fn text(cnf: &Cnf) -> Vec<u8> {
    let mut text = Vec::new();
    cnf.write(&mut text).unwrap();
    text
}

#[test]
fn the_smallest_formula_word_for_word() {
    // One channel, one message, one step: the channel is busy (1), begins a path (2) and ends it (3).
    let pair = problem(
        NetworkData { nodes: 2, channels: vec![(0, 1)], ..NetworkData::default() },
        Collective::broadcast(Node(0), &nodes(2)),
        Model::wormhole(),
    );
    let rules: Vec<(u32, Vec<i32>)> = formula(&pair, 1).rules().iter().map(|r| (r.least, r.literals.clone())).collect();
    assert_eq!(rules, [(1, vec![-1, 2]), (1, vec![1, -3]), (1, vec![3])]);
    assert_eq!(text(&Cnf::new(&formula(&pair, 1))), b"p cnf 3 3\n-1 2 0\n1 -3 0\n3 0\n");
    let none: Vec<_> = formula(&pair, 0).rules().to_vec();
    assert!(none.len() == 1 && none[0].literals.is_empty(), "{none:?}");
}

#[test]
fn dimacs_round_trip_and_faults() {
    let ring = problem(ring(4), Collective::alltoall(&nodes(4), &nodes(4)), Model::wormhole());
    let cnf = Cnf::new(&formula(&ring, 5));
    assert_eq!(Cnf::parse(&text(&cnf)).unwrap(), cnf);
    for (wrong, line, why) in [
        ("1 2 0\n", 1, "comes before the line `p cnf`"),
        ("p cnf 1\n", 1, "is no line `p cnf`"),
        ("p cnf 1 1\np cnf 1 1\n", 2, "is a second line `p cnf`"),
        ("c\np cnf 1 1\n2 0\n", 3, "names a variable that does not exist"),
        ("p cnf 1 1\nx 0\n", 2, "has a word that is no literal"),
        ("p cnf 1 2\n1 0\n", 3, "ends before all clauses were told"),
        ("p cnf 1 1\n1\n", 3, "ends before all clauses were told"),
        ("", 1, "ends before all clauses were told"),
    ] {
        let error = Cnf::parse(wrong.as_bytes()).unwrap_err();
        assert_eq!((error.line, error.why), (line, why), "{wrong}");
    }
    assert_eq!(Cnf::parse(b"p cnf 1 1\n\xff 0\n").unwrap_err().why, "is no text");
}

/// Of chunks that are alike and do not combine, one has no more than its share of the channels, or of the ports.
#[test]
fn calls_take_the_share_of_one_chunk() {
    let parts = |nodes: u32, ports: Ports| {
        let links = (1..nodes).flat_map(|v| [(v - 1, v), (v, v - 1)]).collect();
        NetworkData {
            nodes,
            channels: links,
            send_ports: ports.clone(),
            receive_ports: ports,
            ..NetworkData::default()
        }
    };
    let chunks = |parts: NetworkData, chunks, model| {
        let all = nodes(parts.nodes);
        problem(parts, Collective::allreduce(&all).in_chunks(chunks), model)
    };
    let (stored, combining) = (Model::store_and_forward(), Model { combining: true, ..Model::store_and_forward() });
    // A chunk goes to and fro, by two of the two channels of a step.
    for (count, model, steps, exists) in [
        (1, stored, 1, true),
        (2, stored, 1, false),
        (2, combining, 1, true),
        (2, stored, 2, true),
        (3, stored, 2, false),
        (3, stored, 3, true),
    ] {
        let pair = chunks(parts(2, Ports::All), count, model);
        assert_eq!(solve(&formula(&pair, steps)).is_some(), exists, "{count} {steps}");
    }
    // Two steps have eight uses of four channels, or six of three ports.
    for (ports, model, share) in
        [(Ports::All, stored, 2), (Ports::Each(1), stored, 1), (Ports::Each(1), Model::wormhole(), 2)]
    {
        let formula = formula(&chunks(parts(3, ports), 4, model), 2);
        let last = formula.rules().last().unwrap();
        assert_eq!(last.literals.len() - last.least as usize, share);
    }
}

#[test]
fn what_the_formula_does_not_cover() {
    let small = problem(ring(3), Collective::broadcast(Node(0), &nodes(3)), Model::wormhole());
    assert!(matches!(Formula::encode(&small, u64::MAX), Err(Beyond::Size { .. })));
    assert!(matches!(Formula::encode_within(&small, 2, 10), Err(Beyond::Size { limit: 10 })));
    assert!(Formula::encode_within(&small, 2, 1000).is_ok());
    let combined = Model { switching: Switching::Tdm { hop: 1, cyclic: true }, combining: true };
    let together = problem(ring(3), Collective::allgather(&nodes(3), &nodes(3)), combined);
    let (nodes, messages) = (vec![1, 2, 0], [1, 2, 0].map(kernel::Message).to_vec());
    let turn = Image { channels: nodes.clone(), nodes, messages, delay: 0 };
    assert!(matches!(Formula::encode_to_search(&together, &[turn], 2, 1000), Err(Beyond::Scope(_))));
}

/// A path of three nodes: the middle one must be told first, or let the message pass, so two steps are needed.
fn path() -> Problem {
    let channels = vec![(0, 1), (1, 0), (1, 2), (2, 1)];
    problem(
        NetworkData { nodes: 3, channels, ..NetworkData::default() },
        Collective::broadcast(Node(0), &nodes(3)),
        Model::wormhole(),
    )
}

fn claim(problem: &Problem, steps: u64, proof: Proof) -> Result<u64, Refused> {
    certify(problem, Certificate { steps, proof }).map(|c| c.steps())
}

/// A line of DIMACS with the literals of the clause in the other order.
fn turned(line: &str) -> String {
    match line.strip_suffix(" 0") {
        Some(clause) if !line.starts_with('p') => clause.split(' ').rev().collect::<Vec<_>>().join(" ") + " 0\n",
        _ => format!("{line}\n"),
    }
}

#[test]
fn an_unsat_certificate_holds_only_whole_and_unaltered() {
    let path = path();
    let clauses = text(&Cnf::new(&formula(&path, 1)));
    let unsat = |steps, formula: &[u8], name: &str, proof: &str| {
        let (formula, proof) =
            (Attachment::holding("p.cnf", formula.to_vec()), Attachment::holding(name, proof.as_bytes().to_vec()));
        claim(&path, steps, Proof::Unsat { formula, proof })
    };
    // One step: unit propagation alone finds the contradiction.
    assert_eq!(unsat(2, &clauses, "p.drat", "0\n"), Ok(2));
    assert_eq!(unsat(2, &clauses, "p.drat.gz", "0\n"), Ok(2));
    let mut commented = b"c the same clauses\n".to_vec();
    commented.extend(&clauses);
    assert_eq!(unsat(2, &commented, "p.drat", "0\n"), Ok(2));
    // It proves nothing about another number of steps, and neither do other clauses, no proof, or a name that tells none.
    assert!(matches!(unsat(3, &clauses, "p.drat", "0\n"), Err(Refused::OtherFormula { steps: 2, .. })));
    assert!(matches!(unsat(1, &clauses, "p.drat", "0\n"), Err(Refused::OtherFormula { steps: 0, .. })));
    assert!(matches!(unsat(0, &clauses, "p.drat", "0\n"), Err(Refused::Formula { .. })));
    assert!(matches!(unsat(u64::MAX, &clauses, "p.drat", "0\n"), Err(Refused::Formula { .. })));
    // The order of the literals of a clause says nothing.
    let turned = String::from_utf8(clauses.clone()).unwrap().lines().map(turned).collect::<String>();
    assert_ne!(turned.as_bytes(), clauses);
    assert_eq!(unsat(2, turned.as_bytes(), "p.drat", "0\n"), Ok(2));
    // Neither a clause nor a variable more is what it must be.
    let counts = |variables: u32, clause: &str| {
        let cnf = Cnf::new(&formula(&path, 1));
        let head = format!("p cnf {} {}\n", cnf.variables(), cnf.clauses().len());
        let clauses = String::from_utf8(clauses.clone()).unwrap();
        let more = format!("p cnf {} {}\n", cnf.variables() + variables, cnf.clauses().len() + clause.len() / 4);
        unsat(2, (clauses.replacen(&head, &more, 1) + clause).as_bytes(), "p.drat", "0\n")
    };
    assert_eq!(counts(0, ""), Ok(2));
    assert!(matches!(counts(1, ""), Err(Refused::OtherFormula { .. })));
    assert!(matches!(counts(0, "1 0\n"), Err(Refused::OtherFormula { .. })));
    // Both receivers are too far for no steps at all: two empty clauses.
    assert_eq!(unsat(1, b"p cnf 0 2\n0\n0\n", "p.drat", ""), Ok(1));
    let altered = String::from_utf8(clauses.clone()).unwrap().replacen("-1 ", "1 ", 1);
    assert!(matches!(unsat(2, altered.as_bytes(), "p.drat", "0\n"), Err(Refused::OtherFormula { .. })));
    assert!(matches!(unsat(2, &clauses[..40], "p.drat", "0\n"), Err(Refused::Dimacs { .. })));
    assert!(matches!(unsat(2, &clauses, "p.lrat", "99 0 1 0\n"), Err(Refused::Proof { .. })));
    assert!(matches!(unsat(2, &clauses, "p.lrat", ""), Err(Refused::Proof { .. })));
    assert!(matches!(unsat(2, &clauses, "p.txt", "0\n"), Err(Refused::ProofFormat { .. })));
    let unread = Proof::Unsat { formula: Attachment::named("p.cnf"), proof: Attachment::named("p.lrat") };
    assert_eq!(claim(&path, 2, unread), Err(Refused::NotRead { file: "p.cnf".into() }));
}

#[test]
fn a_combination_holds_only_if_no_values_satisfy_it() {
    // One channel a step leaves the origin of a one-way ring, so one step reaches one of two nodes.
    let ring = problem(ring(3), Collective::broadcast(Node(0), &nodes(3)), Model::wormhole());
    let rules = formula(&ring, 1);
    let all: Vec<(u32, u64)> = (0..rules.rules().len() as u32).map(|r| (r, 1)).collect();
    let combination = |steps, multipliers: &[(u32, u64)]| {
        claim(&ring, steps, Proof::Combination { multipliers: multipliers.to_vec() })
    };
    assert_eq!(combination(2, &all), Ok(2));
    let scaled: Vec<(u32, u64)> = all.iter().map(|(r, _)| (*r, u64::MAX)).collect();
    assert_eq!(combination(2, &scaled), Ok(2));
    assert_eq!(combination(2, &[]), Err(Refused::Satisfiable));
    for rule in &all {
        assert_eq!(combination(2, &[*rule]), Err(Refused::Satisfiable), "rule {}", rule.0);
    }
    assert_eq!(combination(2, &[(0, 1), (0, 1)]), Err(Refused::NoSuchRule { rule: 0 }));
    assert_eq!(combination(2, &[(999, 1)]), Err(Refused::NoSuchRule { rule: 999 }));
    assert!(combination(3, &all).is_err(), "two steps are enough");
}

/// Networks so small that plain search decides their formulas.
fn tiny() -> impl Strategy<Value = Problem> {
    let channels = prop::collection::vec((0u32..3, 0u32..3), 2..5);
    let limits = (any::<u8>(), 0u32..6, any::<bool>());
    (channels, limits).prop_filter_map("well posed", |(channels, (bits, kind, forwarding))| {
        let channels: Vec<_> = channels.into_iter().filter(|(a, b)| a != b).collect();
        let bit = |i: u32| bits >> i & 1 == 1;
        let count = channels.len() as u32;
        let parts = NetworkData {
            nodes: 3,
            no_transit: if bit(0) { vec![1] } else { Vec::new() },
            terminals: bit(1).then(|| vec![0, 2]),
            capacities: bit(2).then(|| (0..count).map(|c| 1 + c % 2).collect()),
            half_duplex: if bit(3) && count > 1 { vec![vec![0, 1]] } else { Vec::new() },
            send_ports: if bit(4) { Ports::Each(1) } else { Ports::All },
            receive_ports: if bit(5) { Ports::Each(1) } else { Ports::All },
            channels,
            ..NetworkData::default()
        };
        let network = Network::new(parts).ok()?;
        let all = network.terminals().to_vec();
        let collective = match kind {
            0 | 1 => Collective::broadcast(all[0], &all),
            2 => Collective::scatter(all[0], &all),
            3 => Collective::gather(all[0], &all),
            4 => Collective::reduce(all[0], &all),
            _ => Collective::pairs("pairs", &[(all[0], all[1]), (all[1], all[0])]),
        };
        let model = if forwarding { Model::store_and_forward() } else { Model::wormhole() };
        Problem::new(network, collective, model).ok()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// What satisfies a formula is a schedule; what more steps allow is not lost.
    #[test]
    fn solutions_are_schedules(problem in tiny()) {
        let mut found = false;
        for steps in 0..3 {
            let formula = formula(&problem, steps);
            if formula.variables() > 26 {
                break;
            }
            let solution = solve(&formula);
            prop_assert!(!found || solution.is_some(), "{} steps are enough, but not {}", steps - 1, steps);
            let Some(values) = solution else { continue };
            found = true;
            let copies = problem.reversed().filter(|_| problem.collective().name() == "reduce");
            let schedule = formula.decode(&values);
            prop_assert!(schedule.step_count() as u64 <= steps);
            prop_assert!(verify(&copies.unwrap_or(problem.clone()), schedule).is_ok());
        }
    }
}
