import type * as z from 'zod'

/** The endings of files with what a setting has as its content: metadata, certificates, keys, scripts. */
const PATH =
  /^\s*(?:file:\/\/)?(?:[a-z]:)?[\w@~.:/\\ -]{0,300}\.(?:xml|pem|crt|cer|cert|der|key|pub|p8|p12|pfx|json|js|html|txt)\s*$/i

export const isFilePath = (text: string): boolean => PATH.test(text)

export const PATH_GIVEN = 'is the path of a file: give the content of the file'

/** The message of a schema, or that the path of a file was given. */
export const orPath =
  (message: string) =>
  ({ input }: z.core.$ZodRawIssue): string =>
    typeof input === 'string' && isFilePath(input) ? PATH_GIVEN : message
