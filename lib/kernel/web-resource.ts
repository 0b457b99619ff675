import * as z from 'zod'
import { orMeant } from './address'

const error = orMeant('must be an https address', { secure: true })

/** An address that pages load from: https, a host that a content security policy can name, and no credentials. */
export const webResource = z
  .string()
  .max(2048)
  .regex(/^https:\/\/[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::\d{1,5})?(?:[/?#][\w\-.~%!$&'()*+,;=:@/?#]*)?$/, { error })
  .refine((value) => URL.canParse(value), { error })

/** The address as a browser writes it, without a character that ends a text in CSS; undefined for another text. */
export function webResourceIn(value: string): string | undefined {
  return webResource.safeParse(value).success ? new URL(value).href : undefined
}
