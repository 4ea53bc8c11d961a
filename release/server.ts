/**
 * The server of a release: `node server/atoll.mjs`, with the arguments of `npm start`. It imports the server when it
 * runs: so no other file of the bundle needs this one, and each can be imported without starting a server.
 */
const { main } = await import('../apps/server/src/main.ts')
await main(process.argv.slice(2))

export {}
