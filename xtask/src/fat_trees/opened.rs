//! **What:** a fat tree opened at the top, with switches that stand as anybody likes: what a published algorithm really does.
//!
//! **Facts:** as the thesis has it, level x of `gft:H,M,W` has Wˣ·M^(H−x) switches (x, a), a = J·Wˣ + k, with the parents
//! (x + 1, (J div M)·W^(x+1) + k·W + c). Straight switches on the way up send input i to port i − W·p in pass p.

/// GFT(h, m, w).
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    /// Height.
    pub h: usize,
    /// Subtrees.
    pub m: usize,
    /// Parents of a switch, and terminals of a leaf switch.
    pub w: usize,
}

/// The switch (x, a) on the way down, in a pass of every level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Down<'a> {
    /// Its level.
    pub x: usize,
    /// Its number.
    pub a: usize,
    /// The pass of each level; 0 for the leaves and the top.
    pub passes: &'a [usize],
}

impl Opened {
    /// Terminals.
    pub(super) fn terminals(&self) -> usize {
        self.w * self.m.pow(self.exponent(self.h))
    }

    fn exponent(&self, x: usize) -> u32 {
        u32::try_from(x).unwrap_or(u32::MAX)
    }

    /// Wˣ, the roots of a subtree of height x.
    pub(super) fn roots(&self, x: usize) -> usize {
        self.w.pow(self.exponent(x))
    }

    /// W·M^(x−1), the terminals below a child of a switch of level x.
    pub(super) fn below(&self, x: usize) -> usize {
        self.w * self.m.pow(self.exponent(x - 1))
    }

    /// Passes of a level.
    pub(super) fn passes(&self) -> usize {
        self.m.div_ceil(self.w)
    }

    /// The lowest digits of the sources whose messages come to (x, a): the choices that made its number, read from the other
    /// end, and what passes add to them.
    pub(super) fn low(&self, down: Down<'_>) -> usize {
        let (mut rest, mut low) = (down.a % self.roots(down.x), 0);
        for level in (0..down.x).rev() {
            let digit = rest % self.w + self.w * down.passes[level];
            rest /= self.w;
            low += digit * if level == 0 { 1 } else { self.below(level) };
        }
        low
    }

    /// The state that is right for rotation k, and what goes from an input to which output in state q.
    pub(super) fn right(&self, down: Down<'_>, k: usize) -> usize {
        if down.x == 0 {
            return k % self.w;
        }
        let below = self.below(down.x);
        (k / below + usize::from(self.low(down) < k % below)) % self.m
    }

    /// The output of input i where what has digit d = i + W·p goes to d − q.
    pub(super) fn turned(&self, down: Down<'_>, q: usize, i: usize) -> usize {
        let (of, skipped) = if down.x == 0 { (self.w, 0) } else { (self.m, self.w * down.passes[down.x]) };
        (i + skipped + of * of - q % of) % of
    }

    /// Where messages come out in one pass, if `output` says where a switch sends an input; `None` for those that wait.
    pub(super) fn pass(&self, passes: &[usize], output: &dyn Fn(Down<'_>, usize) -> usize) -> Vec<Option<usize>> {
        (0..self.terminals()).map(|from| self.one(passes, output, from)).collect()
    }

    fn one(&self, passes: &[usize], output: &dyn Fn(Down<'_>, usize) -> usize, from: usize) -> Option<usize> {
        let (mut a, mut input) = (from / self.w, from % self.w);
        for (x, pass) in passes.iter().enumerate().take(self.h) {
            let port = input.checked_sub(self.w * pass).filter(|port| *port < self.w)?;
            let (subtree, root) = (a / self.roots(x), a % self.roots(x));
            a = subtree / self.m * self.roots(x + 1) + root * self.w + port;
            input = subtree % self.m;
        }
        for x in (1..=self.h).rev() {
            let child = output(Down { x, a, passes }, input);
            if child >= self.m {
                return None;
            }
            let (subtree, root) = (a / self.roots(x), a % self.roots(x));
            a = (subtree * self.m + child) * self.roots(x - 1) + root / self.w;
            input = root % self.w;
        }
        let out = output(Down { x: 0, a, passes }, input);
        (out < self.w).then_some(a * self.w + out)
    }

    /// Every combination of passes of the levels between the leaves and the top.
    pub(super) fn all_passes(&self) -> Vec<Vec<usize>> {
        let mut all = vec![vec![0]];
        for _ in 1..self.h {
            let longer = |p: Vec<usize>| (0..self.passes()).map(move |next| [p.clone(), vec![next]].concat());
            all = all.into_iter().flat_map(longer).collect();
        }
        all.iter().map(|p| [p.clone(), vec![0]].concat()).collect()
    }

    /// How many rows come out as they should, all passes together: `output(row, switch, input)` against `wanted(row, source)`.
    pub(super) fn good(
        &self,
        output: impl Fn(usize, Down<'_>, usize) -> usize,
        wanted: impl Fn(usize, usize) -> usize,
    ) -> usize {
        let passes = self.all_passes();
        let row_is_good = |row: &usize| {
            let mut to = vec![None; self.terminals()];
            for passes in &passes {
                let sent = self.pass(passes, &|down, input| output(*row, down, input));
                to.iter_mut().zip(sent).for_each(|(to, sent)| *to = to.or(sent));
            }
            (0..self.terminals()).all(|from| to[from] == Some(wanted(*row, from)))
        };
        (0..self.terminals()).filter(row_is_good).count()
    }

    /// How many rotations to the left come out, where `output` is given the rotation, the switch and the input.
    pub(super) fn rotations(&self, output: impl Fn(usize, Down<'_>, usize) -> usize) -> usize {
        let n = self.terminals();
        self.good(output, |k, from| (from + n - k) % n)
    }

    /// The same where only the states of switches are in question.
    pub(super) fn rotations_by_states(&self, state: impl Fn(usize, Down<'_>) -> usize) -> usize {
        self.rotations(|k, down, i| self.turned(down, state(k, down), i))
    }
}
