import { createFileRoute } from '@tanstack/react-router'
import { LanguageListPage } from '../../language-list/LanguageListPage.tsx'

/** Neither header nor authentication (spec §2). */
export const Route = createFileRoute('/languageList')({ component: LanguageListPage })
