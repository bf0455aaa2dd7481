//! **What:** a problem of copies divided by a group of automorphisms: one of the messages that are moved to each other, and one number for all channels
//! and all nodes that are. Where some elements leave a message in place, the copies that they move to each other have one number, too.

use super::plan::Leg;
use kernel::formula::Image;
use kernel::{Channel, Message, Network, Node, Problem, Schedule, Transfer};

/// What the images of a copy's way take together, each once.
pub(crate) struct Folded<'a> {
    pub problem: &'a Problem,
    /// What each element of the group does, first the one that moves nothing.
    images: Vec<Image>,
    /// One of the messages that are moved to each other.
    pub messages: Vec<Message>,
    /// Of each of them, one after the other, the number of the copy at each node: that of the first to which it is moved by what leaves the message in place.
    /// Empty where nothing leaves one in place.
    copies: Vec<u32>,
    /// The number of each channel, and how often what has a number may be used at once.
    pub channels: Numbered,
    /// The same for sending and for receiving.
    pub senders: Numbered,
    pub receivers: Numbered,
}

/// Things that are numbered as classes.
pub(crate) struct Numbered {
    pub of: Vec<u32>,
    pub room: Vec<u32>,
}

impl Numbered {
    /// `image` tells where an element takes a thing, `capacity` how often one may be used. What an element leaves in place would have to be used by several
    /// images at once: there is no room for that.
    fn new(count: usize, images: &[Image], image: impl Fn(&Image, u32) -> u32, capacity: impl Fn(u32) -> u32) -> Self {
        let mut numbered = Numbered { of: vec![u32::MAX; count], room: Vec::new() };
        for first in 0..count as u32 {
            if numbered.of[first as usize] != u32::MAX {
                continue;
            }
            let mut members = 0;
            for moved in images.iter().map(|element| image(element, first)) {
                members += usize::from(numbered.of[moved as usize] == u32::MAX);
                numbered.of[moved as usize] = numbered.room.len() as u32;
            }
            numbered.room.push(if members == images.len() { capacity(first) } else { 0 });
        }
        numbered
    }
}

impl<'a> Folded<'a> {
    /// Divided by the group of these elements, or by nothing.
    pub(crate) fn new(problem: &'a Problem, images: Option<Vec<Image>>) -> Self {
        let (network, collective) = (problem.network(), problem.collective());
        let images = images.unwrap_or_else(|| vec![nothing_moved(network, collective.messages())]);
        let mut seen = vec![false; collective.message_count()];
        let mut messages = Vec::new();
        for message in collective.messages() {
            if !seen[message.index()] {
                messages.push(message);
                images.iter().for_each(|element| seen[element.messages[message.index()].index()] = true);
            }
        }
        let stays = |element: &Image, message: &Message| element.messages[message.index()] == *message;
        let mut copies: Vec<u32> = Vec::new();
        if messages.iter().any(|message| images.iter().filter(|element| stays(element, message)).count() > 1) {
            copies.extend(0..(messages.len() * network.node_count()) as u32);
            for (of_message, message) in copies.chunks_mut(network.node_count()).zip(&messages) {
                let before = of_message[0];
                for element in images.iter().filter(|element| stays(element, message)) {
                    let moved = element.nodes.iter().map(|v| before + v);
                    of_message.iter_mut().zip(moved).for_each(|(first, moved)| *first = (*first).min(moved));
                }
            }
        }
        let node = |element: &Image, v: u32| element.nodes[v as usize];
        let ports = |ports: fn(&Network, Node) -> Option<u32>| {
            let limit = move |v| ports(network, Node(v)).unwrap_or(u32::MAX);
            Numbered::new(network.node_count(), &images, node, limit)
        };
        Folded {
            problem,
            messages,
            copies,
            channels: Numbered::new(
                network.channel_count(),
                &images,
                |element, c| element.channels[c as usize],
                |c| network.capacity(Channel(c)),
            ),
            senders: ports(Network::send_ports),
            receivers: ports(Network::receive_ports),
            images,
        }
    }

    /// Elements of the group.
    pub(super) fn order(&self) -> usize {
        self.images.len()
    }

    /// The number of the copy of a message, by its number, at a node: of those that are moved to each other, that of the first.
    pub(super) fn copy(&self, message: usize, node: Node) -> u32 {
        let at = message * self.senders.of.len() + node.index();
        self.copies.get(at).copied().unwrap_or(at as u32)
    }

    /// What is sent of a message, by its number, with all images of it.
    pub(crate) fn images(&self, number: usize, leg: &Leg) -> impl Iterator<Item = (Message, Leg)> {
        self.images.iter().map(move |element| {
            let [from, to] = [leg.from, leg.to].map(|v| Node(element.nodes[v.index()]));
            let path = leg.path.iter().map(|c| Channel(element.channels[c.index()])).collect();
            (element.messages[self.messages[number].index()], Leg { from, to, start: leg.start, path })
        })
    }

    /// The transfers of a message and its images, where each begins in the step given.
    pub(super) fn unfold(&self, steps: usize, sent: Vec<(usize, Leg)>) -> Schedule {
        let mut of_step: Vec<Vec<(Message, Vec<Channel>)>> = vec![Vec::new(); steps];
        for (number, leg) in sent {
            for (message, Leg { start, path, .. }) in self.images(number, &leg) {
                of_step[start % steps].push((message, path));
            }
        }
        let mut schedule = Schedule::new();
        for transfers in of_step {
            schedule.begin_step();
            transfers.iter().for_each(|(message, path)| schedule.push(Transfer::new(&[*message], path)));
        }
        schedule
    }
}

fn nothing_moved(network: &Network, messages: impl Iterator<Item = Message>) -> Image {
    Image {
        nodes: network.nodes().map(|v| v.0).collect(),
        channels: network.channels().map(|c| c.0).collect(),
        messages: messages.collect(),
        delay: 0,
    }
}
