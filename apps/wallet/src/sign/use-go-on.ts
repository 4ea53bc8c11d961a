import { codeToFragment } from '@atoll/contract/identity'
import { useNavigate } from '@tanstack/react-router'
import { carriedRequest, dropCarried } from './carried-request.ts'

/** Leaves the set-up of an identity: to the request that brought the person here, or else home. */
export function useGoOn(): { isAsked: boolean; goOn: () => void } {
  const navigate = useNavigate()
  const asked = carriedRequest()
  return {
    isAsked: asked !== undefined,
    goOn() {
      dropCarried()
      if (!asked) return void navigate({ to: '/' })
      const { code, via } = asked
      void navigate({ to: '/approve', search: via ? { via } : {}, hash: codeToFragment(code), replace: true })
    },
  }
}
