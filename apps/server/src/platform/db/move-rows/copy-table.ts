/** COPY from one connection to another, as it comes: neither side's rows are held in memory. */
import type { Client, Connection, Submittable } from 'pg'

/** Bytes that wait to be sent before the source is asked to wait. */
const mostWaiting = 4_000_000

/** pg's connection, with the methods for COPY that its types leave out. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

class Copy implements Submittable {
  readonly #sql: string
  readonly #take: (chunk: Buffer) => void
  readonly #connected = Promise.withResolvers<CopyConnection>()
  readonly #begun = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  /** Where it goes on; fulfilled once it was sent. */
  readonly connection = this.#connected.promise
  /** The server waits for what is copied in. */
  readonly begun = this.#begun.promise
  readonly ended = this.#ended.promise

  constructor(sql: string, take: (chunk: Buffer) => void = () => undefined) {
    this.#sql = sql
    this.#take = take
    // A failure is reported through `ended`; without this the other promises would be unhandled rejections.
    for (const promise of [this.begun, this.ended]) promise.catch(() => undefined)
  }

  submit(connection: Connection): void {
    // pg/lib/connection.js has the three; its types leave them out.
    this.#connected.resolve(connection as CopyConnection)
    connection.query(this.#sql)
  }
  handleCopyInResponse(): void {
    this.#begun.resolve()
  }
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#take(chunk)
  }
  handleCommandComplete(): void {
    // Its end is told by the next one.
  }
  handleReadyForQuery(): void {
    this.#ended.resolve()
  }
  handleError(error: unknown): void {
    this.#begun.reject(error)
    this.#ended.reject(error)
  }
}

/** Fills `table` of `to` with these columns of the same table of `from`. Both are quoted as SQL wants them. */
export async function copyTable(from: Client, to: Client, table: string, columns: string): Promise<void> {
  const sink = to.query(new Copy(`copy ${table} (${columns}) from stdin`))
  const into = await sink.connection
  await sink.begun
  const source = from.query(
    new Copy(`copy (select ${columns} from ${table}) to stdout`, (chunk) => {
      into.sendCopyFromChunk(chunk)
      if (into.stream.writableLength > mostWaiting) void source.connection.then(({ stream }) => stream.pause())
    }),
  )
  const { stream } = await source.connection
  const goOn = () => stream.resume()
  into.stream.on('drain', goOn)
  try {
    await source.ended
    into.endCopyFrom()
  } catch (error) {
    into.sendCopyFail(error instanceof Error ? error.message : String(error))
    throw error
  } finally {
    into.stream.off('drain', goOn)
    goOn()
  }
  await sink.ended
}
