// A plugin on the original go-plugin, to hold awf's host against.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	pb "gopher/pluginv1"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

type served struct {
	plugin.NetRPCUnsupportedPlugin
	config map[string][]byte
}

func (s *served) GRPCServer(_ *plugin.GRPCBroker, server *grpc.Server) error {
	pb.RegisterPluginServiceServer(server, s)
	pb.RegisterOperationServiceServer(server, s)
	pb.RegisterStepTypeServiceServer(server, s)
	pb.RegisterValidatorServiceServer(server, s)
	return nil
}

func (s *served) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (interface{}, error) {
	return nil, fmt.Errorf("this side only serves")
}

func (s *served) GetInfo(context.Context, *pb.GetInfoRequest) (*pb.GetInfoResponse, error) {
	return &pb.GetInfoResponse{Name: "gopher", Version: "1.2.3"}, nil
}

func (s *served) Init(_ context.Context, request *pb.InitRequest) (*pb.InitResponse, error) {
	s.config = request.Config
	return &pb.InitResponse{}, nil
}

func (s *served) Shutdown(context.Context, *pb.ShutdownRequest) (*pb.ShutdownResponse, error) {
	return &pb.ShutdownResponse{}, nil
}

func (s *served) ListOperations(context.Context, *pb.ListOperationsRequest) (*pb.ListOperationsResponse, error) {
	text := &pb.InputSchema{Name: "text", Type: "string", Required: true, Description: "What to shout"}
	times := &pb.InputSchema{Name: "times", Type: "integer", Default: "1"}
	output := &pb.OutputSchema{Name: "length", Type: "integer", Description: "Of the text"}
	shout := &pb.OperationSchema{Name: "shout", Description: "Says it loudly",
		Inputs: []*pb.InputSchema{text, times}, Outputs: []*pb.OutputSchema{output}}
	return &pb.ListOperationsResponse{Operations: []*pb.OperationSchema{shout}}, nil
}

func (s *served) GetOperation(context.Context, *pb.GetOperationRequest) (*pb.GetOperationResponse, error) {
	return &pb.GetOperationResponse{}, nil
}

func (s *served) Execute(_ context.Context, request *pb.ExecuteRequest) (*pb.ExecuteResponse, error) {
	var text string
	if err := json.Unmarshal(request.Inputs["text"], &text); err != nil {
		return &pb.ExecuteResponse{Error: "text: " + err.Error()}, nil
	}
	var times int
	if err := json.Unmarshal(request.Inputs["times"], &times); err != nil {
		return &pb.ExecuteResponse{Error: "times: " + err.Error()}, nil
	}
	fmt.Fprintln(os.Stderr, "about to shout")
	length, _ := json.Marshal(len(text))
	loud := strings.Repeat(strings.ToUpper(text), times) + string(s.config["mark"])
	return &pb.ExecuteResponse{Success: true, Output: loud, Data: map[string][]byte{"length": length}}, nil
}

func (s *served) ListStepTypes(context.Context, *pb.ListStepTypesRequest) (*pb.ListStepTypesResponse, error) {
	return &pb.ListStepTypesResponse{StepTypes: []*pb.StepTypeInfo{{Name: "dig", Description: "Digs"}}}, nil
}

func (s *served) ExecuteStep(_ context.Context, request *pb.ExecuteStepRequest) (*pb.ExecuteStepResponse, error) {
	return &pb.ExecuteStepResponse{Output: request.StepName + " dug " + string(request.Config), Data: request.Inputs}, nil
}

func (s *served) ValidateWorkflow(_ context.Context, request *pb.ValidateWorkflowRequest) (*pb.ValidateWorkflowResponse, error) {
	var workflow struct{ Name string }
	if err := json.Unmarshal(request.WorkflowJson, &workflow); err != nil {
		return nil, err
	}
	issue := &pb.ValidationIssue{Severity: pb.Severity_SEVERITY_WARNING, Message: "seen " + workflow.Name}
	return &pb.ValidateWorkflowResponse{Issues: []*pb.ValidationIssue{issue}}, nil
}

func (s *served) ValidateStep(context.Context, *pb.ValidateStepRequest) (*pb.ValidateStepResponse, error) {
	return &pb.ValidateStepResponse{}, nil
}

func main() {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			ProtocolVersion: 1, MagicCookieKey: "AWF_PLUGIN", MagicCookieValue: "awf-plugin-v1",
		},
		Plugins:    map[string]plugin.Plugin{"awf": &served{}},
		GRPCServer: plugin.DefaultGRPCServer,
	})
}
