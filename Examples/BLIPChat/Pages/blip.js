// BLIP 3 for browsers, in one file: requests and replies both ways over one WebSocket.
//
//     const blip = new BLIP("ws://localhost:8080/blip")
//     blip.on("news", request => ({ body: "thanks" }))
//     const reply = await blip.request("echo", "hello")
//     console.log(reply.text)
//
// Bodies are texts, Uint8Arrays or, for anything else, JSON. It takes compressed frames, and sends
// none. A message ends at 64 MiB.

const MSG = 0, RPY = 1, ERR = 2, ACKMSG = 4, ACKRPY = 5
const COMPRESSED = 0x08, URGENT = 0x10, NOREPLY = 0x20, MORE = 0x40
const FRAME = 16 * 1024 - 48, WINDOW = 128000, ACK_EVERY = 50000, MESSAGE_MAX = 64 << 20
const encoder = new TextEncoder(), decoder = new TextDecoder()

const crcTable = Uint32Array.from({ length: 256 }, (_, value) => {
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? value >>> 1 ^ 0xEDB88320 : value >>> 1
    return value
})

function crc32(sum, bytes) {
    sum = ~sum
    for (const byte of bytes) sum = crcTable[(sum ^ byte) & 0xFF] ^ sum >>> 8
    return ~sum >>> 0
}

function varint(value) {
    const bytes = []
    for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push(value % 128 | 0x80)
    bytes.push(value)
    return bytes
}

/** Reads a number at a place; answers it and the place behind it, or null. */
function readVarint(bytes, at) {
    let value = 0, factor = 1
    for (const start = at; at < bytes.length && at < start + 8; factor *= 128) {
        const byte = bytes[at++]
        value += (byte & 0x7F) * factor
        if (byte < 0x80) return [value, at]
    }
    return null
}

function join(parts) {
    const bytes = new Uint8Array(parts.reduce((count, part) => count + part.length, 0))
    let at = 0
    for (const part of parts) {
        bytes.set(part, at)
        at += part.length
    }
    return bytes
}

/** A message as it goes over the wire: its properties, and its body. */
function encodeMessage(properties, body) {
    if (body === undefined || body === null) body = new Uint8Array()
    if (!(body instanceof Uint8Array)) {
        const isText = typeof body === "string"
        properties = { "Content-Type": isText ? "text/plain; charset=UTF-8" : "application/json", ...properties }
        body = encoder.encode(isText ? body : JSON.stringify(body))
    }
    const texts = Object.entries(properties).flat().map(String)
    if (texts.some(text => text.includes("\0"))) throw new Error("a property can't hold NUL")
    const block = encoder.encode(texts.map(text => text + "\0").join(""))
    return join([varint(block.length), block, body])
}

/** A request or a reply that came. */
class BLIPMessage {
    constructor(bytes, isError) {
        const head = readVarint(bytes, 0)
        const end = head ? head[0] + head[1] : Infinity
        if (!(end <= bytes.length)) throw new Error("a message's properties are not whole")
        const texts = decoder.decode(bytes.subarray(head[1], end)).split("\0").slice(0, -1)
        this.properties = {}
        for (let i = 0; i + 1 < texts.length; i += 2) this.properties[texts[i]] ??= texts[i + 1]
        this.body = bytes.subarray(end)
        this.isError = isError
    }

    get text() { return decoder.decode(this.body) }
    get json() { return JSON.parse(this.text) }
}

/** What a reply tells of an error; a handler may throw one. */
class BLIPError extends Error {
    constructor(message, code = 501, domain = "BLIP") {
        super(message)
        this.code = code
        this.domain = domain
    }
}

class BLIP {
    #handlers = new Map()
    #replies = new Map()
    #incoming = new Map()
    #queue = []
    #paused = new Map()
    #sentNumber = 0
    #receivedNumber = 0
    #sentSum = 0
    #receivedSum = 0
    #inflater = null
    #socket
    #work = Promise.resolve()

    /** Connects; what is asked before it is open waits. `protocol` is the program's own, if it has one. */
    constructor(url, { protocol } = {}) {
        this.#socket = new WebSocket(url, [protocol ? `BLIP_3+${protocol}` : "BLIP_3"])
        this.#socket.binaryType = "arraybuffer"
        this.opened = new Promise((resolve, reject) => {
            this.#socket.onopen = () => { resolve(); this.#pump() }
            this.closed = new Promise(end => this.#socket.onclose = event => {
                const error = new BLIPError(event.reason || `the connection is closed (${event.code})`, 0, "WebSocket")
                for (const { reject } of this.#replies.values()) reject(error)
                this.#replies.clear()
                this.#queue = []
                reject(error)
                end(event)
            })
        })
        this.opened.catch(() => {})
        // One frame after the other: decompressing takes its time.
        this.#socket.onmessage = event => {
            this.#work = this.#work.then(() => this.#receive(event.data)).catch(error => {
                this.#socket.close(4000, String(error.message).slice(0, 100))
            })
        }
    }

    /** Has a function answer the requests of a profile; what it returns is `{ properties, body }`. */
    on(profile, handler) { this.#handlers.set(profile, handler) }

    /** Asks; the reply, or a BLIPError. */
    request(profile, body, { properties = {}, urgent = false } = {}) {
        return new Promise((resolve, reject) => {
            const number = this.#send(profile, body, properties, urgent ? URGENT : 0)
            this.#replies.set(number, { resolve, reject })
        })
    }

    /** Tells something that wants no reply. */
    tell(profile, body, { properties = {}, urgent = false } = {}) {
        this.#send(profile, body, properties, NOREPLY | (urgent ? URGENT : 0))
    }

    close(code = 1000, reason = "") { this.#socket.close(code, reason) }

    #send(profile, body, properties, flags) {
        if (this.#socket.readyState > WebSocket.OPEN) throw new BLIPError("the connection is closed", 0, "WebSocket")
        const bytes = encodeMessage({ Profile: profile, ...properties }, body)
        this.#enqueue({ number: ++this.#sentNumber, flags: MSG | flags, bytes })
        return this.#sentNumber
    }

    // Sending: messages take turns; an urgent one goes before those that have begun and are not.

    #enqueue(message) {
        Object.assign(message, { at: 0, sent: 0, acked: 0 })
        this.#queue.push(message)
        this.#pump()
    }

    #pump() {
        if (this.#socket.readyState !== WebSocket.OPEN) return
        while (this.#queue.length && this.#socket.bufferedAmount < 1 << 20) {
            const urgent = this.#queue.findIndex(message => message.flags & URGENT)
            const isBegun = urgent > 0 && this.#queue.slice(0, urgent).every(message => message.at)
            const [message] = this.#queue.splice(isBegun ? urgent : 0, 1)
            const end = Math.min(message.bytes.length, message.at + FRAME)
            const payload = message.bytes.subarray(message.at, end)
            const isLast = end === message.bytes.length
            this.#sentSum = crc32(this.#sentSum, payload)
            const sum = this.#sentSum
            this.#socket.send(join([
                varint(message.number), [message.flags | (isLast ? 0 : MORE)], payload,
                [sum >>> 24, sum >>> 16 & 255, sum >>> 8 & 255, sum & 255]]))
            message.at = end
            message.sent += payload.length + 4
            if (isLast) continue
            if (message.sent - message.acked < WINDOW) this.#queue.push(message)
            else this.#paused.set((message.flags & 7 ? "reply " : "request ") + message.number, message)
        }
        if (this.#queue.length) setTimeout(() => this.#pump(), 5)
    }

    #acknowledged(kind, number, count) {
        const key = (kind === ACKRPY ? "reply " : "request ") + number
        const message = this.#paused.get(key) ?? this.#queue.find(
            other => other.number === number && (other.flags & 7 ? ACKRPY : ACKMSG) === kind)
        if (!message || count <= message.acked || count > message.sent) return
        message.acked = count
        if (this.#paused.has(key) && message.sent - count < WINDOW) {
            this.#paused.delete(key)
            this.#queue.push(message)
            this.#pump()
        }
    }

    // Receiving

    async #receive(data) {
        if (!(data instanceof ArrayBuffer)) throw new Error("a frame is a binary message")
        const frame = new Uint8Array(data)
        const number = readVarint(frame, 0)
        const flags = number && readVarint(frame, number[1])
        if (!flags) throw new Error("a frame without a head")
        const kind = flags[0] & 7, payload = frame.subarray(flags[1])
        if (kind === ACKMSG || kind === ACKRPY) {
            const count = readVarint(payload, 0)
            if (count) this.#acknowledged(kind, number[0], count[0])
        } else if (kind <= ERR && payload.length >= 4) {
            await this.#take(number[0], flags[0], payload)
        } else {
            throw new Error("a frame of an unknown kind, or without a checksum")
        }
    }

    async #take(number, flags, payload) {
        const kind = flags & 7, isReply = kind !== MSG
        const view = new DataView(payload.buffer, payload.byteOffset, payload.length)
        const bytes = await this.#checked(
            payload.subarray(0, -4), flags & COMPRESSED, view.getUint32(payload.length - 4))
        const key = (isReply ? "reply " : "request ") + number
        let message = this.#incoming.get(key)
        if (!message) {
            if (!isReply && number !== ++this.#receivedNumber) throw new Error(`request ${number} out of order`)
            if (isReply && (number < 1 || number > this.#sentNumber)) throw new Error(`a reply to nothing (${number})`)
            message = { parts: [], size: 0, count: 0, acked: 0, flags, isTorn: false }
            this.#incoming.set(key, message)
        }
        message.count += payload.length
        message.size += bytes.length
        message.isTorn ||= kind === ERR && (message.flags & 7) !== ERR || message.size > MESSAGE_MAX
        if (message.isTorn) message.parts = []
        else message.parts.push(bytes)
        if (!(flags & MORE)) {
            this.#incoming.delete(key)
            isReply ? this.#settle(number, message) : this.#answer(number, message)
        } else if (message.count - message.acked >= ACK_EVERY) {
            message.acked = message.count
            const head = isReply ? ACKRPY : ACKMSG
            this.#socket.send(join([varint(number), [head | URGENT | NOREPLY], varint(message.count)]))
        }
    }

    /** A frame's payload, decompressed; throws if its running checksum is another one. */
    async #checked(payload, isCompressed, stated) {
        if (!isCompressed || !payload.length) {
            this.#receivedSum = crc32(this.#receivedSum, payload)
            if (this.#receivedSum !== stated) throw new Error("invalid checksum")
            return payload
        }
        if (!this.#inflater) {
            const stream = new DecompressionStream("deflate-raw")
            this.#inflater = { writer: stream.writable.getWriter(), reader: stream.readable.getReader() }
        }
        // What the sender has cut off is put back. The checksum says when all has come out.
        const writing = this.#inflater.writer.write(join([payload, [0, 0, 0xFF, 0xFF]]))
        writing.catch(() => {})
        const parts = []
        for (let size = 0; this.#receivedSum !== stated; ) {
            const { value, done } = await this.#inflater.reader.read()
            if (done || (size += value.length) > 1 << 20) throw new Error("a frame that can't be decompressed")
            this.#receivedSum = crc32(this.#receivedSum, value)
            parts.push(value)
        }
        return join(parts)
    }

    #settle(number, incoming) {
        const pending = this.#replies.get(number)
        this.#replies.delete(number)
        if (!pending) return
        if (incoming.isTorn) return pending.reject(new BLIPError("the reply is not whole", 599))
        const reply = new BLIPMessage(join(incoming.parts), (incoming.flags & 7) === ERR)
        if (!reply.isError) return pending.resolve(reply)
        const code = Number(reply.properties["Error-Code"]) || 599
        pending.reject(new BLIPError(reply.text, code, reply.properties["Error-Domain"] ?? "BLIP"))
    }

    async #answer(number, incoming) {
        let kind = RPY, properties = {}, body = ""
        try {
            if (incoming.isTorn) throw new BLIPError("the message is too long", 400)
            const request = new BLIPMessage(join(incoming.parts), false)
            const handler = this.#handlers.get(request.properties.Profile)
            if (!handler) throw new BLIPError("No handler for BLIP request", 404)
            const answer = await handler(request) ?? {}
            properties = answer.properties ?? {}
            body = answer.body
        } catch (error) {
            kind = ERR
            const isTold = error instanceof BLIPError
            properties = { "Error-Domain": isTold ? error.domain : "BLIP", "Error-Code": isTold ? error.code : 501 }
            body = encoder.encode(isTold ? error.message : "handler failed")
        }
        if (incoming.flags & NOREPLY || this.#socket.readyState !== WebSocket.OPEN) return
        const bytes = encodeMessage(properties, body)
        this.#enqueue({ number, flags: kind | incoming.flags & URGENT, bytes })
    }
}

globalThis.BLIP = BLIP
globalThis.BLIPError = BLIPError
