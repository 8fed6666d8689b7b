package system

import rego.v1

on_offer := {"1.34.6", "1.34.7", "1.35.2"}

main := {
	"apiVersion": "admission.k8s.io/v1",
	"kind": "AdmissionReview",
	"response": response,
}

default refusal := ""

refusal := sprintf("Kubernetes version `%s` is not on offer", [version]) if {
	input.request.kind.kind == "Shoot"
	version := input.request.object.spec.kubernetes.version
	not version in on_offer
}

response := {"uid": input.request.uid, "allowed": true} if refusal == ""

response := {"uid": input.request.uid, "allowed": false, "status": {"message": refusal}} if refusal != ""
