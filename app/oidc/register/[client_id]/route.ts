import { serve } from '../../../../lib/server/next/serve'

export const dynamic = 'force-dynamic'
export const { GET, PUT, DELETE, OPTIONS } = serve('/oidc/register/:client_id')
