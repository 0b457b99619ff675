import * as z from 'zod'

/** An address that pages load from: https, a host that a content security policy can name, and no credentials. */
export const webResource = z
  .string()
  .max(2048)
  .regex(
    /^https:\/\/[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::\d{1,5})?(?:[/?#][\w\-.~%!$&'()*+,;=:@/?#]*)?$/,
    'must be an https address',
  )
  .refine((value) => URL.canParse(value), 'must be an https address')

/** The address as a browser writes it, without a character that ends a text in CSS; undefined for another text. */
export function webResourceIn(value: string): string | undefined {
  return webResource.safeParse(value).success ? new URL(value).href : undefined
}
