/** A process that answers with its number on the sockets that it was given, as a role of a release does. */
import { createServer } from 'node:http'
import { listenAt } from '../platform/listening.ts'
import { readGivenSockets } from './systemd.ts'

const given = readGivenSockets(process.env, process.pid)
for (const [name, descriptors] of given) {
  for (const fd of descriptors) {
    const server = createServer((_, res) => void res.end(`${name} ${process.argv[2]}`))
    await listenAt(server, { fd }, '')
  }
}
process.stdout.write(`${process.pid}\n`)
