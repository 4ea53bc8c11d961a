import { createFileRoute } from '@tanstack/react-router'
import { LanguageListPage } from '../pages/languages/LanguageListPage.tsx'

/** Neither header nor authentication (spec §2). */
export const Route = createFileRoute('/languageList')({ component: LanguageListPage })
