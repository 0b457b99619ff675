import { acceptRoute } from '../../../../lib/next/console/routes'

export const dynamic = 'force-dynamic'
export const POST = acceptRoute
