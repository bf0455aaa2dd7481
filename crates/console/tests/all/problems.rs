//! Problems, as they are typed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use clap::Parser;
use console::args::{Command, ProblemChoice, Verb};
use console::problem::pose;

fn choice(words: &str) -> ProblemChoice {
    let words = ["quadrille", "solve"].into_iter().chain(words.split(' '));
    let Verb::Solve(arguments) = Command::try_parse_from(words).unwrap().verb else { panic!("it says solve") };
    arguments.problem
}

#[test]
fn words_pose_a_problem() {
    let problem = pose(&choice("torus:4x4 alltoall --ports one")).unwrap();
    assert_eq!(problem.collective().message_count(), 240);
    assert!(problem.network().nodes().all(|v| problem.network().send_ports(v) == Some(1)));
    assert!(pose(&choice("torus:4 nothing")).is_err());
}
