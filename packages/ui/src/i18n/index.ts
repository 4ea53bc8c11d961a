export { createLanguage, type Language, matchLocale } from './create-language.ts'
export { createTexts, type TextKeyOf, type TranslateWith } from './create-texts.ts'
export { dateLocale, formatBytes, formatFigure, formatMiB, formatPercent, spaceHan } from './figures.ts'
export { languageNames } from './language-names.ts'
