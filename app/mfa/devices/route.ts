import { serve } from '../../../lib/server/next/serve'

export const dynamic = 'force-dynamic'
export const { POST, OPTIONS } = serve('/mfa/devices')
