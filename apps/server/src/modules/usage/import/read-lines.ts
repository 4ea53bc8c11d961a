/** Longest line, characters: a longer one is not in our format, and a file without line ends would fill the memory. */
const longestLine = 4096

/**
 * The lines of a file as its text comes in, without their ends; of a line that is too long its beginning, and nothing
 * after it.
 */
export async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.replace(/\r$/, '')
    if (rest.length > longestLine) return yield rest.slice(0, longestLine)
  }
  if (rest !== '') yield rest
}
