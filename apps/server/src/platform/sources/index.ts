export { checkSources, type SourceCheck, sourcesCheck } from './sources-check.ts'
