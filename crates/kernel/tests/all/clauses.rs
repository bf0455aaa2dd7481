//! Rules as clauses: as DIMACS has them, word for word, and with the same solutions.

use kernel::formula::{Cnf, Formula, Rule};
use kernel::{
    Attachment, Certificate, Collective, Model, Network, NetworkData, Node, Problem, Proof, Refused, certify,
};

fn at_least(least: u32, literals: &[i32]) -> Cnf {
    Cnf::of(literals.len() as u32, &[Rule { least, literals: literals.to_vec() }])
}

fn text(cnf: &Cnf) -> String {
    let mut text = Vec::new();
    cnf.write(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn every_form_of_a_rule_word_for_word() {
    assert_eq!(text(&at_least(0, &[1, 2])), "p cnf 2 0\n");
    assert_eq!(text(&at_least(0, &[])), "p cnf 0 0\n");
    assert_eq!(text(&at_least(3, &[1, 2])), "p cnf 2 1\n0\n");
    assert_eq!(text(&at_least(2, &[1, -2])), "p cnf 2 2\n1 0\n-2 0\n");
    assert_eq!(text(&at_least(1, &[1, -2, 3])), "p cnf 3 1\n1 -2 3 0\n");
    assert_eq!(text(&at_least(3, &[1, 2, -3, 4])), "p cnf 4 6\n1 2 0\n1 -3 0\n1 4 0\n2 -3 0\n2 4 0\n-3 4 0\n");
    let six = text(&at_least(5, &[1, 2, 3, 4, 5, 6]));
    assert!(six.starts_with("p cnf 6 15\n1 2 0\n"), "{six}");
    // From seven literals on, and where two or more may fail, a counter.
    let seven = text(&at_least(6, &[1, 2, 3, 4, 5, 6, 7]));
    assert!(seven.starts_with("p cnf 13 17\n1 8 0\n2 -8 0\n-8 9 0\n2 9 0\n3 -9 0\n"), "{seven}");
    let counter = "p cnf 9 10\n1 5 0\n-5 6 0\n2 6 0\n2 -5 7 0\n3 -7 0\n-6 8 0\n3 8 0\n-7 9 0\n3 -6 9 0\n4 -9 0\n";
    assert_eq!(text(&at_least(2, &[1, 2, 3, 4])), counter);
}

/// Whether the clauses hold for some values of the other variables: those that are forced, and false where none is.
fn holds(cnf: &Cnf, mut values: Vec<Option<bool>>) -> bool {
    values.resize(cnf.variables() as usize, None);
    let value = |values: &[Option<bool>], l: i32| values[l.unsigned_abs() as usize - 1].map(|v| v == (l > 0));
    loop {
        let mut forced = None;
        for clause in cnf.clauses() {
            if clause.iter().any(|l| value(&values, *l) == Some(true)) {
                continue;
            }
            let open: Vec<i32> = clause.iter().copied().filter(|l| value(&values, *l).is_none()).collect();
            match open[..] {
                [] => return false,
                [unit] => forced = Some(unit),
                _ => {}
            }
        }
        let Some(unit) = forced else { break };
        values[unit.unsigned_abs() as usize - 1] = Some(unit > 0);
    }
    let values: Vec<Option<bool>> = values.into_iter().map(|v| v.or(Some(false))).collect();
    cnf.clauses().all(|clause| clause.iter().any(|l| value(&values, *l) == Some(true)))
}

#[test]
fn clauses_have_the_solutions_of_their_rules() {
    for n in 0..9u32 {
        let literals: Vec<i32> = (1..=n as i32).map(|v| if v % 3 == 0 { -v } else { v }).collect();
        for least in 0..n + 2 {
            let cnf = at_least(least, &literals);
            for bits in 0..1u32 << n {
                let values: Vec<Option<bool>> = (0..n).map(|v| Some(bits >> v & 1 == 1)).collect();
                let hold = literals.iter().filter(|l| (bits >> (l.abs() - 1) & 1 == 1) == (**l > 0)).count();
                assert_eq!(holds(&cnf, values), hold >= least as usize, "{least} of {n}: {bits:b}");
            }
        }
    }
}

/// So many messages from node 0 to node 1 over a channel of some capacity, and other nodes.
fn stream(nodes: u32, messages: usize, capacity: u32) -> Problem {
    let parts =
        NetworkData { nodes, channels: vec![(0, 1)], capacities: Some(vec![capacity]), ..NetworkData::default() };
    let collective = Collective::pairs("pairs", &vec![(Node(0), Node(1)); messages]);
    Problem::new(Network::new(parts).unwrap(), collective, Model::wormhole()).unwrap()
}

#[test]
fn formulas_are_recognised_whatever_their_last_rule() {
    // In one step two of five messages cross at most: a counter; one of three: pairs; one of two: a clause.
    for (messages, capacity) in [(5, 2), (3, 1), (2, 1)] {
        let problem = stream(2, messages, capacity);
        let cnf = Cnf::new(&Formula::encode(&problem, 1).unwrap());
        let proved = |formula: String| {
            let formula = Attachment::holding("p.cnf", formula.into_bytes());
            let proof = Attachment::holding("p.drat", b"0\n".to_vec());
            certify(&problem, Certificate { steps: 2, proof: Proof::Unsat { formula, proof } })
        };
        assert!(proved(text(&cnf)).is_ok());
        // Without its last clause it is another formula.
        let clauses = cnf.clauses().len();
        let short = text(&cnf).replace(&format!(" {clauses}\n"), &format!(" {}\n", clauses - 1));
        let short: Vec<&str> = short.lines().take(clauses).collect();
        assert!(matches!(proved(short.join("\n")), Err(Refused::OtherFormula { .. })));
    }
}

/// Files of two chunks that are alike were written before one of them had its share of the channels as a rule.
#[test]
fn a_file_may_lack_the_rule_that_was_added_later() {
    let channels = (1..5).flat_map(|v| [(v - 1, v), (v, v - 1)]).collect();
    let line = Network::new(NetworkData { nodes: 5, channels, ..NetworkData::default() }).unwrap();
    let collective = Collective::allreduce(line.terminals()).in_chunks(2);
    let problem = Problem::new(line, collective, Model::store_and_forward()).unwrap();
    let formula = Formula::encode(&problem, 3).unwrap();
    let lacking = |count: usize| {
        let rules = &formula.rules()[..formula.rules().len() - count];
        let formula = Attachment::holding("p.cnf", text(&Cnf::of(formula.variables(), rules)).into_bytes());
        let proof = Attachment::holding("p.drat", b"0\n".to_vec());
        certify(&problem, Certificate { steps: 4, proof: Proof::Unsat { formula, proof } }).map(|_| ())
    };
    assert_eq!((lacking(0), lacking(1)), (Ok(()), Ok(())));
    assert!(matches!(lacking(2), Err(Refused::OtherFormula { .. })));
}

#[test]
fn a_formula_is_made_within_its_limit() {
    let problem = stream(2, 3, 1);
    let whole = Formula::encode(&problem, 3).unwrap();
    assert_eq!(whole.steps(), 3);
    let size = whole.rules().iter().map(|r| r.literals.len() + 1).sum();
    assert!(Formula::encode_within(&problem, 3, size).is_ok());
    assert!(Formula::encode_within(&problem, 3, size - 1).is_err());
    // Messages, steps and nodes that need no variable count together.
    let nodes = 1 << 14;
    for (messages, steps) in [(4, 1), (1, 4), (2, 2)] {
        let problem = stream(nodes, messages, 1);
        assert!(Formula::encode_within(&problem, steps, 4 << 14).is_ok());
        assert!(Formula::encode_within(&problem, steps, (4 << 14) - 1).is_err());
    }
}

/// A formula must be the same wherever it is made: its variables, rules and literals are counted.
#[test]
fn formulas_have_variables_for_what_may_be_of_use_alone() {
    let size = |parts: NetworkData, pairs: &[(u32, u32)], steps| {
        let pairs: Vec<_> = pairs.iter().map(|&(a, b)| (Node(a), Node(b))).collect();
        let network = Network::new(parts).unwrap();
        let problem = Problem::new(network, Collective::pairs("pairs", &pairs), Model::wormhole()).unwrap();
        let formula = Formula::encode(&problem, steps).unwrap();
        let literals: usize = formula.rules().iter().map(|r| r.literals.len()).sum();
        (formula.variables(), formula.rules().len(), literals)
    };
    let line = |nodes: u32| {
        let channels = (1..nodes).flat_map(|v| [(v - 1, v), (v, v - 1)]).collect();
        NetworkData { nodes, channels, ..NetworkData::default() }
    };
    assert_eq!(size(line(3), &[(0, 2)], 2), (23, 25, 54));
    assert_eq!(size(line(4), &[(1, 2)], 3), (60, 65, 152));
    assert_eq!(size(line(4), &[(0, 3), (1, 0)], 2), (72, 88, 192));
    // However wide a channel, no more copies cross it than there are receivers, and one where no path goes on.
    let wide = |parts: NetworkData| NetworkData { capacities: Some(vec![9; 4]), ..parts };
    assert_eq!(size(wide(line(3)), &[(0, 2)], 1), (20, 20, 46));
    assert_eq!(size(wide(NetworkData { no_transit: vec![1], ..line(3) }), &[(0, 2)], 2), (10, 13, 26));
}
