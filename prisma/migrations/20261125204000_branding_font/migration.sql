-- A font that was kept without an effect now has one. What is certainly no address is removed: it would refuse the next change.
UPDATE "tenant" SET
  settings = CASE
    WHEN length(kept #>> '{branding,font,url}') <= 2048
      AND kept #>> '{branding,font,url}' ~
        '^https://([A-Za-z0-9-]+\.)*[A-Za-z][A-Za-z0-9-]*(:[0-9]{1,4})?([/?#][A-Za-z0-9_.~%!$&''()*+,;=:@/?#-]*)?$'
      AND kept #>> '{branding,font,url}' !~* '^https://([^/?#]*\.)?xn--'
    THEN jsonb_set(
      jsonb_set(settings, '{branding}', coalesce(settings -> 'branding', '{}')),
      '{branding,font}', jsonb_build_object('url', kept #> '{branding,font,url}'))
    ELSE settings
  END,
  kept = kept #- '{branding,font}'
WHERE kept #> '{branding,font}' IS NOT NULL;
