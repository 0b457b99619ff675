-- Every event pays for every index of the log: nothing is looked up by its id, and most events of machines know no user.

-- DropIndex
DROP INDEX "audit_record_tenant_id_log_id_idx";

-- DropIndex
DROP INDEX "audit_record_tenant_id_user_id_seq_idx";

-- Those about one user, newest first.
CREATE INDEX "audit_record_user_idx" ON "audit_record"("user_id", "tenant_id", "seq") WHERE "user_id" IS NOT NULL;
