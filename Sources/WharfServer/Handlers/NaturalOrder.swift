/// Orders names as people do: whatever their case, and numbers in them by value.
package struct NaturalOrder: Comparable {
    private let name: [UInt8]
    private let folded: [UInt8]

    package init(_ name: [UInt8]) {
        self.name = name
        folded = Array(String(decoding: name, as: UTF8.self).lowercased().utf8)
    }

    package static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    package static func < (left: Self, right: Self) -> Bool {
        let order = compare(left.folded, right.folded)
        // Names that read alike, such as `a1` and `A01`, still have one order.
        return order == 0 ? left.name.lexicographicallyPrecedes(right.name) : order < 0
    }

    private static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var (leftIndex, rightIndex) = (0, 0)
        while leftIndex < left.count, rightIndex < right.count {
            if isDigit(left[leftIndex]), isDigit(right[rightIndex]) {
                let leftNumber = number(left, &leftIndex)
                let rightNumber = number(right, &rightIndex)
                if leftNumber.count != rightNumber.count {
                    return leftNumber.count - rightNumber.count
                }
                for (one, other) in zip(leftNumber, rightNumber) where one != other {
                    return Int(one) - Int(other)
                }
            } else {
                let difference = Int(left[leftIndex]) - Int(right[rightIndex])
                if difference != 0 { return difference }
                leftIndex += 1
                rightIndex += 1
            }
        }
        return (left.count - leftIndex) - (right.count - rightIndex)
    }

    /// The digits from an index on, without zeros in front; the index moves behind them.
    private static func number(_ bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
        let digits = bytes[index...].prefix(while: isDigit)
        index = digits.endIndex
        return digits.drop { $0 == UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}
