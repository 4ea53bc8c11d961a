/**
 * Stands in for the agent in driver tests: notes its boot as the real one does and stays until it is asked to end.
 * A file `behave` with the word `stubborn` in its home makes it ignore SIGTERM.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

const home = process.env['ATOLL_AGENT_HOME'] ?? ''
const behaviourFile = join(home, 'behave')
const behaviour = existsSync(behaviourFile) ? readFileSync(behaviourFile, 'utf8').trim() : ''

process.on('SIGTERM', () => {
  if (behaviour !== 'stubborn') process.exit(0)
})

// Keeps the process alive, and gives run.json a port that is really listened on.
const server = createServer((socket) => socket.end())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const path = join(home, 'run.json')
  writeFileSync(`${path}.new`, JSON.stringify({ pid: process.pid, port, bootId: randomUUID() }))
  renameSync(`${path}.new`, path)
})
