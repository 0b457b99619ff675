import type { Translate } from '../lib/text/catalogue'
import { TextField } from './text-field'

/** A field for the number on the screen of the waiting login. */
export const NumberField = ({ t }: { t: Translate }) => (
  <div className="code-field">
    <TextField name="number" label={t('push.number')} autoComplete="off" inputMode="numeric" maxLength={40} autoFocus />
  </div>
)
