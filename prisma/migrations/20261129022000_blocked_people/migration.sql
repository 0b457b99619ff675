-- Of the few who are blocked.
CREATE INDEX "user_blocked_idx" ON "user"("id", "tenant_id") WHERE "blocked";
