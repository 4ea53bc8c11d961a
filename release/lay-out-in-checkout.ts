/** `node release/lay-out-in-checkout.ts FOLDER`: `layOutInCheckout` as a program, for the setup of tests. */
import { layOutInCheckout } from './layout.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('no folder is named')
await layOutInCheckout(folder)
