import { runAndRead } from '../processes.ts'

/**
 * The commit since which files count as changed: where this branch left its upstream. Without an upstream, or when all
 * is pushed and committed, the commit before the last one. Throws outside a repository.
 */
export async function findChangedSince(): Promise<string> {
  const head = await git('rev-parse', 'HEAD')
  const branchedAt = await git('merge-base', 'HEAD', '@{upstream}').catch(() => head)
  const isClean = (await git('status', '--porcelain')) === ''
  return branchedAt === head && isClean ? await git('rev-parse', 'HEAD~1') : branchedAt
}

async function git(...args: string[]): Promise<string> {
  const { code, output } = await runAndRead('git', args)
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${output.trim()}`)
  return output.trim()
}
