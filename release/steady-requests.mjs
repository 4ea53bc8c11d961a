// 50 requests a second, each on a connection of its own, for so many seconds; prints how they fared. Plain JavaScript
// without packages: it runs inside the machine, by the Node of the release.
const [url, seconds] = [process.argv[2], Number(process.argv[3])]
const faults = {}
let answered = 0
let worstMs = 0
const all = []
for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
  const began = performance.now()
  const count = (what) => {
    faults[what] = (faults[what] ?? 0) + 1
  }
  const asked = fetch(url, { headers: { connection: 'close' } }).then(async (answer) => {
    await answer.text()
    if (answer.status !== 200) return count(answer.status)
    answered += 1
    worstMs = Math.max(worstMs, Math.round(performance.now() - began))
  })
  all.push(asked.catch((error) => count(error.cause?.code ?? error.message)))
  await new Promise((resolve) => setTimeout(resolve, 20))
}
await Promise.all(all)
process.stdout.write(JSON.stringify({ answered, worstMs, faults }))
