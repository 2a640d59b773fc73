//! The people of the tests.

use cabinet_domain::NotaryId;

/// A person of the tests.
pub(crate) struct Profile {
    pub(crate) name: &'static str,
    pub(crate) phone: &'static str,
    pub(crate) full_name: &'static str,
    pub(crate) registry_identifier: &'static str,
    pub(crate) tax_id: &'static str,
}

/// An account of the cabinet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Account {
    pub(crate) id: NotaryId,
    pub(crate) phone: &'static str,
}

/// Everybody whom a test can name.
const PROFILES: [Profile; 4] = [
    Profile {
        name: "olena",
        phone: "+380501110001",
        full_name: "Коваль Олена Іванівна",
        registry_identifier: "NOTAR20001",
        tax_id: "3068208400",
    },
    Profile {
        name: "taras",
        phone: "+380501110002",
        full_name: "Бондаренко Тарас Михайлович",
        registry_identifier: "NOTAR20002",
        tax_id: "1759013776",
    },
    Profile {
        name: "iryna",
        phone: "+380501110003",
        full_name: "Шевчук Ірина Петрівна",
        registry_identifier: "NOTAR20003",
        tax_id: "3652504575",
    },
    Profile {
        name: "andrii",
        phone: "+380501110004",
        full_name: "Ткаченко Андрій Васильович",
        registry_identifier: "NOTAR20004",
        tax_id: "1234567899",
    },
];

/// Returns the person with a name.
pub(crate) fn profile_of(name: &str) -> &'static Profile {
    PROFILES
        .iter()
        .find(|profile| profile.name == name)
        .unwrap_or_else(|| panic!("nobody is called {name}"))
}
