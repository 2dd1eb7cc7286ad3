import Testing
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A pattern` {
    @Test(arguments: [
        "a", "", "/{", "/}", "/{}", "/{...}", "/{a}{b}", "/{a{b}}", "/}{a}", "/{a}{", "/{a...}/b",
        "/x{a...}", "/{a}/{a}", "/{a}/{a...}",
    ])
    func `that can't be ends the program that has it`(_ text: String) async {
        await #expect(processExitsWith: .failure) { [text = text as String] in
            Router().get(text, on: .loop, answering(""))
        }
    }

    @Test func `that holds for a group and what is in it has each name once`() async {
        await #expect(processExitsWith: .failure) {
            Router().group("/{a}") { $0.get("/{a}", on: .loop, answering("")) }
        }
        await #expect(processExitsWith: .failure) {
            Router().group("/a") { $0.get("b", on: .loop, answering("")) }
        }
        await #expect(processExitsWith: .failure) { Router().group("/{a...}") { _ in } }
    }

    @Test(arguments: [
        "/", "/a", "/{a}", "/{a...}", "/{a}/{b}/{c...}", "/x{a}y/{b}", "/a//b/", "/ü ö", "/100%",
    ])
    func `says what it is`(_ text: String) {
        let router = Router()
        router.get(text, on: .loop, answering(""))
        router.mount("", AnsweringHandler(text: ""))
        #expect(router.table.index.routes.map(\.description) == ["GET \(text)", "any method /..."])
    }
}
