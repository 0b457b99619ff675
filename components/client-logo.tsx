import type { ClientView } from '../lib/pages/view'
import { Picture } from './picture'

/** The app's own logo, where it has one. The text beside it states the name, so the picture has no alternative text. */
export function ClientLogo({ client }: { client: ClientView }) {
  return <Picture className="client-logo" src={client.logoUrl} width={48} height={48} />
}
