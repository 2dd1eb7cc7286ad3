import WharfHTTP

/// A QR code as text for a terminal: two rows of modules in each line.
enum QRText {
    /// ISO/IEC 18004 §6.3.8: four light modules belong around it.
    private static let margin = 4

    /// The lines of a code for a URL; `nil` when it is too long for one.
    static func lines(_ url: String) -> String? {
        guard let code = QRCode(url) else { return nil }
        var text = ""
        for y in stride(from: -margin, to: code.size + margin, by: 2) {
            // Black on white, whatever the terminal's own colours are.
            text += "\u{1B}[38;5;16;48;5;231m"
            for x in -margin..<(code.size + margin) {
                switch (code.isDark(x, y), code.isDark(x, y + 1)) {
                case (true, true): text += "█"
                case (true, false): text += "▀"
                case (false, true): text += "▄"
                case (false, false): text += " "
                }
            }
            text += "\u{1B}[0m\n"
        }
        return text
    }
}
