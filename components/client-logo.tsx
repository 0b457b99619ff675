import type { ClientView } from '../lib/pages/view'
import { Picture } from './picture'

/** The app's own logo, where it has one. The name stands in the text beside it, so the picture is silent. */
export function ClientLogo({ client }: { client: ClientView }) {
  return <Picture className="client-logo" src={client.logoUrl} width={48} height={48} />
}
