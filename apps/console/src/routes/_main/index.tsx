import { createFileRoute } from '@tanstack/react-router'
import { PageFailure } from '../../components/PageFailure.tsx'
import { HomePage } from '../../pages/home/HomePage.tsx'

export const Route = createFileRoute('/_main/')({ component: HomePage, errorComponent: PageFailure })
