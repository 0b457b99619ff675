import { signOutRoute } from '../../../../lib/next/console/routes'

export const dynamic = 'force-dynamic'
export const POST = signOutRoute
