//! The values that labels may have.

/// The values of one label: a closed list of words.
pub trait Word: Copy + PartialEq + 'static {
    /// All values.
    const ALL: &'static [Self];

    /// Returns the word of the value.
    fn word(self) -> &'static str;
}

/// The labels of a metric, with every combination that can occur.
pub trait Labels: Copy + 'static {
    /// Returns every combination.
    fn all() -> Vec<Self>;

    /// Returns the place of this combination in [`Labels::all`].
    fn index(self) -> usize;

    /// Returns the words, in the order of the labels' names.
    fn words(self) -> Vec<&'static str>;
}

impl Labels for () {
    fn all() -> Vec<()> {
        vec![()]
    }

    fn index(self) -> usize {
        0
    }

    fn words(self) -> Vec<&'static str> {
        Vec::new()
    }
}

impl<W: Word> Labels for W {
    fn all() -> Vec<W> {
        W::ALL.to_vec()
    }

    fn index(self) -> usize {
        W::ALL
            .iter()
            .position(|value| *value == self)
            .unwrap_or_default()
    }

    fn words(self) -> Vec<&'static str> {
        vec![self.word()]
    }
}

impl<A: Labels, B: Word> Labels for (A, B) {
    fn all() -> Vec<(A, B)> {
        A::all()
            .into_iter()
            .flat_map(|first| B::ALL.iter().map(move |second| (first, *second)))
            .collect()
    }

    fn index(self) -> usize {
        self.0.index() * B::ALL.len() + self.1.index()
    }

    fn words(self) -> Vec<&'static str> {
        let mut words = self.0.words();
        words.push(self.1.word());
        words
    }
}

/// Defines the values of a label.
macro_rules! values {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_meta])* $variant,)+
        }

        impl $crate::Word for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }
    };
}
pub(crate) use values;
