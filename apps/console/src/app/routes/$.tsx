import { createFileRoute } from '@tanstack/react-router'
import { NotFoundPage } from '../not-found/NotFoundPage.tsx'

/** Every address that no other route has (spec §2, catch-all). */
export const Route = createFileRoute('/$')({ component: NotFoundPage })
