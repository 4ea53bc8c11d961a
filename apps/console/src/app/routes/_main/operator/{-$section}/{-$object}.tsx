import { createFileRoute } from '@tanstack/react-router'
import { OperatorArea } from '../../../../../operator/area/OperatorArea.tsx'
import { enterAsStaff } from '../../../../shell/require-staff.ts'

/** One route for the whole area: what a customer loads names none of its pages. */
export const Route = createFileRoute('/_main/operator/{-$section}/{-$object}')({
  beforeLoad: enterAsStaff,
  component: OperatorArea,
})
