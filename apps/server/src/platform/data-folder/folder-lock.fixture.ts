/** A process that holds a folder until it is killed. Arguments: the folder, and `abstract` or `file`. */
import { lockFolder } from './folder-lock.ts'

await lockFolder(process.argv[2] ?? '', process.argv[3] === 'abstract')
process.stdout.write('held\n')
// Keeps the process; the test ends it.
setInterval(() => undefined, 60_000)
