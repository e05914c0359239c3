//! The operating system: how one installs something on it.

use std::process::Command;

use crate::install::{starts, succeed};

/// A kind of system, by how software gets onto it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Debian and its children; whether we are root there.
    Debian {
        root: bool,
    },
    Fedora,
    Arch,
    /// Some other Linux, or something like it.
    Linux,
    MacOs,
    Windows,
}

/// What systems call different names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Software {
    /// Python 3 with its modules venv and pip.
    Python,
    /// The Vulkan loader and Mesa's driver, which needs no GPU.
    Vulkan,
    /// A display that nobody sees, real input into it, and what a window needs.
    Display,
    /// A browser that computes and draws by WebGPU without a GPU.
    Chromium,
    /// Blender, with the NumPy that its importers need.
    Blender,
}

impl System {
    /// The one we run on.
    pub fn here() -> Self {
        let has = |program: &str| starts(Command::new(program).arg("--version"));
        match std::env::consts::OS {
            "windows" => Self::Windows,
            "macos" => Self::MacOs,
            "linux" if has("apt-get") => Self::Debian { root: is_root() },
            "linux" if has("dnf") => Self::Fedora,
            "linux" if has("pacman") => Self::Arch,
            _ => Self::Linux,
        }
    }

    /// How to install something, as a command where there is one.
    pub fn advice(self, software: Software) -> String {
        let [debian, fedora, arch] = match software {
            Software::Python => ["python3 python3-venv", "python3 python3-pip", "python"],
            Software::Vulkan => [
                "libvulkan1 mesa-vulkan-drivers",
                "vulkan-loader mesa-vulkan-drivers",
                "vulkan-icd-loader vulkan-swrast",
            ],
            Software::Display => [
                "xvfb xdotool libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0",
                "xorg-x11-server-Xvfb xdotool libX11-xcb libXcursor libXi libxkbcommon-x11",
                "xorg-server-xvfb xdotool libxcursor libxi libxkbcommon-x11",
            ],
            Software::Chromium => ["chromium", "chromium", "chromium"],
            Software::Blender => ["blender python3-numpy", "blender", "blender"],
        };
        match (self, software) {
            (Self::Debian { root: true }, _) => format!("apt-get install {debian}"),
            (Self::Debian { root: false }, _) => format!("sudo apt-get install {debian}"),
            (Self::Fedora, _) => format!("sudo dnf install {fedora}"),
            (Self::Arch, _) => format!("sudo pacman -S {arch}"),
            (Self::MacOs, Software::Python) => "xcode-select --install, or brew install python".to_owned(),
            (Self::Windows, Software::Python) => "winget install Python.Python.3.13".to_owned(),
            (_, Software::Python) => "install Python 3 with its modules venv and pip".to_owned(),
            (_, Software::Vulkan) => {
                "install the Vulkan loader (libvulkan.so.1) and a driver; Mesa's lavapipe needs no GPU"
                    .to_owned()
            }
            (_, Software::Display) => {
                "install Xvfb, xdotool, and libXcursor, libXi and libxkbcommon-x11".to_owned()
            }
            (_, Software::Chromium) => "install Chromium, or let MUSLIN_CHROMIUM name it".to_owned(),
            (_, Software::Blender) => "install Blender (https://www.blender.org)".to_owned(),
        }
    }

    /// Installs something where we may: as root on Debian. Elsewhere the error says how to do it.
    pub fn install(self, software: Software) -> Result<(), String> {
        let advice = self.advice(software);
        if self != (Self::Debian { root: true }) {
            return Err(advice);
        }
        println!("setup: {advice}");
        let packages: Vec<&str> = advice.split(' ').skip(2).collect();
        let apt = |arguments: &[&str]| {
            let mut command = Command::new("apt-get");
            succeed(command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
        };
        apt(&["update", "-qq"])
            .and_then(|()| apt(&[&["install", "-qq", "-y", "--no-install-recommends"], &*packages].concat()))
            .map_err(|reason| format!("{advice} failed ({reason}); is there a network?"))
    }
}

/// Whether we may do everything.
fn is_root() -> bool {
    let user = Command::new("id").arg("-u").output();
    user.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYSTEMS: [System; 7] = [
        System::Debian { root: true },
        System::Debian { root: false },
        System::Fedora,
        System::Arch,
        System::Linux,
        System::MacOs,
        System::Windows,
    ];

    #[test]
    fn every_system_has_advice_of_its_own_for_python() {
        let mut advice = SYSTEMS.map(|system| system.advice(Software::Python));
        advice.sort();
        assert!(advice.windows(2).all(|pair| pair[0] != pair[1]), "{advice:?}");
        assert!(advice.iter().all(|text| text.contains("ython") || text.contains("xcode")), "{advice:?}");
    }

    #[test]
    fn only_root_on_debian_installs() {
        for system in &SYSTEMS[1..] {
            let said = system.install(Software::Vulkan).unwrap_err();
            assert_eq!(said, system.advice(Software::Vulkan));
        }
        assert_eq!(
            System::Debian { root: false }.install(Software::Python),
            Err("sudo apt-get install python3 python3-venv".to_owned())
        );
    }
}
