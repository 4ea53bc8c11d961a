export { createLanguage, type Language, matchLocale } from './create-language.ts'
export { createTexts, type TextKeyOf, type TranslateWith } from './create-texts.ts'
